ALTER TABLE `event_types` ADD `delayed_payment_methods` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_accounts` ADD `country` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `provider_account_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `delayed_methods` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- What is processed is pending too: nobody knows yet whether there will be money. The fee's share that goes back with a
-- refund is rounded half up in the steps of its currency, all refunds together.
DROP TRIGGER payments_sum_insert;
--> statement-breakpoint
DROP TRIGGER payments_sum_change;
--> statement-breakpoint
DROP TRIGGER payments_sum_delete;
--> statement-breakpoint
UPDATE payment_sums SET fees = (SELECT sum((payments.status IN ('succeeded', 'refunded', 'partially_refunded')) * (payments.platform_fee - CASE WHEN payments.refunded_amount >= payments.amount THEN payments.platform_fee
      WHEN payments.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * payments.platform_fee * payments.refunded_amount + 10 * payments.amount) / (20 * payments.amount) * 10
      WHEN payments.currency IN ('isk', 'ugx') THEN (2 * payments.platform_fee * payments.refunded_amount + 100 * payments.amount) / (200 * payments.amount) * 100
      ELSE (2 * payments.platform_fee * payments.refunded_amount + payments.amount) / (2 * payments.amount) END)) FROM payments
  WHERE payments.organization_id = payment_sums.organization_id AND payments.is_test = payment_sums.is_test AND payments.currency = payment_sums.currency);
--> statement-breakpoint
CREATE TRIGGER payments_sum_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO payment_sums (organization_id, is_test, currency, payments, revenue, fees, refunded, pending)
  VALUES (NEW.organization_id, NEW.is_test, NEW.currency, 1, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * NEW.amount,
    (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * (NEW.platform_fee - CASE WHEN NEW.refunded_amount >= NEW.amount THEN NEW.platform_fee
      WHEN NEW.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 10 * NEW.amount) / (20 * NEW.amount) * 10
      WHEN NEW.currency IN ('isk', 'ugx') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 100 * NEW.amount) / (200 * NEW.amount) * 100
      ELSE (2 * NEW.platform_fee * NEW.refunded_amount + NEW.amount) / (2 * NEW.amount) END),
    NEW.refunded_amount, (NEW.status IN ('pending', 'processing')))
  ON CONFLICT DO UPDATE SET payments = payments + 1, revenue = revenue + excluded.revenue, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded, pending = pending + excluded.pending;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_change AFTER UPDATE OF status, refunded_amount ON payments
WHEN OLD.status <> NEW.status OR OLD.refunded_amount <> NEW.refunded_amount
BEGIN
  UPDATE payment_sums SET
    revenue = revenue + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * NEW.amount - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * OLD.amount,
    fees = fees + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * (NEW.platform_fee - CASE WHEN NEW.refunded_amount >= NEW.amount THEN NEW.platform_fee
      WHEN NEW.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 10 * NEW.amount) / (20 * NEW.amount) * 10
      WHEN NEW.currency IN ('isk', 'ugx') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 100 * NEW.amount) / (200 * NEW.amount) * 100
      ELSE (2 * NEW.platform_fee * NEW.refunded_amount + NEW.amount) / (2 * NEW.amount) END)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * (OLD.platform_fee - CASE WHEN OLD.refunded_amount >= OLD.amount THEN OLD.platform_fee
      WHEN OLD.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 10 * OLD.amount) / (20 * OLD.amount) * 10
      WHEN OLD.currency IN ('isk', 'ugx') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 100 * OLD.amount) / (200 * OLD.amount) * 100
      ELSE (2 * OLD.platform_fee * OLD.refunded_amount + OLD.amount) / (2 * OLD.amount) END),
    refunded = refunded + NEW.refunded_amount - OLD.refunded_amount,
    pending = pending + (NEW.status IN ('pending', 'processing')) - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_delete AFTER DELETE ON payments
BEGIN
  UPDATE payment_sums SET payments = payments - 1,
    revenue = revenue - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * OLD.amount,
    fees = fees - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * (OLD.platform_fee - CASE WHEN OLD.refunded_amount >= OLD.amount THEN OLD.platform_fee
      WHEN OLD.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 10 * OLD.amount) / (20 * OLD.amount) * 10
      WHEN OLD.currency IN ('isk', 'ugx') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 100 * OLD.amount) / (200 * OLD.amount) * 100
      ELSE (2 * OLD.platform_fee * OLD.refunded_amount + OLD.amount) / (2 * OLD.amount) END),
    refunded = refunded - OLD.refunded_amount, pending = pending - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency;
  DELETE FROM payment_sums
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency AND payments = 0;
END;
