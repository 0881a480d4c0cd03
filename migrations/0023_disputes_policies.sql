CREATE TABLE `disputes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`amount` integer NOT NULL,
	`reason` text NOT NULL,
	`phase` text NOT NULL,
	`evidence_due_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `disputes_payment` ON `disputes` (`payment_id`);--> statement-breakpoint
ALTER TABLE `event_types` ADD `refund_policy` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `cancel_notice_minutes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `reschedule_notice_minutes` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payment_sums` ADD `lost` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `disputed_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `lost_amount` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `refund_policy` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `refunds` ADD `cause` text DEFAULT 'request' NOT NULL;
--> statement-breakpoint
UPDATE refunds SET cause = 'late' WHERE reason = 'It was paid after its booking had been given up.';
--> statement-breakpoint
-- What is disputed was paid all the same, and what disputes took for good has a sum of its own.
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
    (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - CASE WHEN NEW.refunded_amount >= NEW.amount THEN NEW.platform_fee
      WHEN NEW.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 10 * NEW.amount) / (20 * NEW.amount) * 10
      WHEN NEW.currency IN ('isk', 'ugx') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 100 * NEW.amount) / (200 * NEW.amount) * 100
      ELSE (2 * NEW.platform_fee * NEW.refunded_amount + NEW.amount) / (2 * NEW.amount) END),
    NEW.refunded_amount, NEW.lost_amount, (NEW.status IN ('pending', 'processing')))
  ON CONFLICT DO UPDATE SET payments = payments + 1, revenue = revenue + excluded.revenue, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded, lost = lost + excluded.lost, pending = pending + excluded.pending;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_change AFTER UPDATE OF status, refunded_amount, lost_amount ON payments
WHEN OLD.status <> NEW.status OR OLD.refunded_amount <> NEW.refunded_amount OR OLD.lost_amount <> NEW.lost_amount
BEGIN
  UPDATE payment_sums SET
    revenue = revenue + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * NEW.amount - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - CASE WHEN NEW.refunded_amount >= NEW.amount THEN NEW.platform_fee
      WHEN NEW.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 10 * NEW.amount) / (20 * NEW.amount) * 10
      WHEN NEW.currency IN ('isk', 'ugx') THEN (2 * NEW.platform_fee * NEW.refunded_amount + 100 * NEW.amount) / (200 * NEW.amount) * 100
      ELSE (2 * NEW.platform_fee * NEW.refunded_amount + NEW.amount) / (2 * NEW.amount) END)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - CASE WHEN OLD.refunded_amount >= OLD.amount THEN OLD.platform_fee
      WHEN OLD.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 10 * OLD.amount) / (20 * OLD.amount) * 10
      WHEN OLD.currency IN ('isk', 'ugx') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 100 * OLD.amount) / (200 * OLD.amount) * 100
      ELSE (2 * OLD.platform_fee * OLD.refunded_amount + OLD.amount) / (2 * OLD.amount) END),
    refunded = refunded + NEW.refunded_amount - OLD.refunded_amount, lost = lost + NEW.lost_amount - OLD.lost_amount,
    pending = pending + (NEW.status IN ('pending', 'processing')) - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_delete AFTER DELETE ON payments
BEGIN
  UPDATE payment_sums SET payments = payments - 1,
    revenue = revenue - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - CASE WHEN OLD.refunded_amount >= OLD.amount THEN OLD.platform_fee
      WHEN OLD.currency IN ('bhd', 'jod', 'kwd', 'omr', 'tnd') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 10 * OLD.amount) / (20 * OLD.amount) * 10
      WHEN OLD.currency IN ('isk', 'ugx') THEN (2 * OLD.platform_fee * OLD.refunded_amount + 100 * OLD.amount) / (200 * OLD.amount) * 100
      ELSE (2 * OLD.platform_fee * OLD.refunded_amount + OLD.amount) / (2 * OLD.amount) END),
    refunded = refunded - OLD.refunded_amount, lost = lost - OLD.lost_amount, pending = pending - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency;
  DELETE FROM payment_sums
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency AND payments = 0;
END;
