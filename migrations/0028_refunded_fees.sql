ALTER TABLE `payments` ADD `refunded_fee` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- As it was worked out until now: the share of what was refunded, rounded half up in the steps of the currency.
UPDATE payments SET refunded_fee = CASE WHEN refunded_amount >= amount THEN platform_fee ELSE
  (2 * platform_fee * refunded_amount + amount * (CASE WHEN currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN 10 WHEN currency IN ('isk', 'ugx') THEN 100 ELSE 1 END))
  / (2 * amount * (CASE WHEN currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN 10 WHEN currency IN ('isk', 'ugx') THEN 100 ELSE 1 END)) * (CASE WHEN currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN 10 WHEN currency IN ('isk', 'ugx') THEN 100 ELSE 1 END) END
WHERE refunded_amount > 0;
--> statement-breakpoint
-- The provider says what it gave back of a fee, which is none where a refund was made in its dashboard.
DROP TRIGGER payments_sum_insert;
--> statement-breakpoint
DROP TRIGGER payments_sum_change;
--> statement-breakpoint
DROP TRIGGER payments_sum_delete;
--> statement-breakpoint
CREATE TRIGGER payments_sum_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO payment_sums (organization_id, is_test, currency, payments, revenue, fees, refunded, lost, pending)
  VALUES (NEW.organization_id, NEW.is_test, NEW.currency, 1, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * NEW.amount,
    (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - NEW.refunded_fee),
    NEW.refunded_amount, NEW.lost_amount, (NEW.status IN ('pending', 'processing')))
  ON CONFLICT DO UPDATE SET payments = payments + 1, revenue = revenue + excluded.revenue, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded, lost = lost + excluded.lost, pending = pending + excluded.pending;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_change AFTER UPDATE OF status, refunded_amount, refunded_fee, lost_amount ON payments
WHEN OLD.status <> NEW.status OR OLD.refunded_amount <> NEW.refunded_amount OR OLD.refunded_fee <> NEW.refunded_fee
  OR OLD.lost_amount <> NEW.lost_amount
BEGIN
  UPDATE payment_sums SET
    revenue = revenue + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * NEW.amount
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - NEW.refunded_fee)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - OLD.refunded_fee),
    refunded = refunded + NEW.refunded_amount - OLD.refunded_amount, lost = lost + NEW.lost_amount - OLD.lost_amount,
    pending = pending + (NEW.status IN ('pending', 'processing')) - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_delete AFTER DELETE ON payments
BEGIN
  UPDATE payment_sums SET payments = payments - 1,
    revenue = revenue - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - OLD.refunded_fee),
    refunded = refunded - OLD.refunded_amount, lost = lost - OLD.lost_amount, pending = pending - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency;
  DELETE FROM payment_sums
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency AND payments = 0;
END;
