-- A page of a list is read from one end of one index, newest first. An index that ends with `status`, `id` serves one
-- status and, by walking each status beside the others, all of them, so that no second one is written without it.
DROP INDEX `bookings_organization`;--> statement-breakpoint
CREATE INDEX `bookings_status` ON `bookings` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
DROP INDEX `bookings_event_type`;--> statement-breakpoint
CREATE INDEX `bookings_event_type` ON `bookings` (`event_type_id`,`status`,`id`);--> statement-breakpoint
DROP INDEX `bookings_assigned_host`;--> statement-breakpoint
CREATE INDEX `bookings_host` ON `bookings` (`assigned_host_id`,`is_test`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_host_event_type` ON `bookings` (`assigned_host_id`,`event_type_id`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
-- Also what each host of an event type has ahead is counted in it, so that no index of its own is needed for that.
DROP INDEX `bookings_event_type_start`;--> statement-breakpoint
CREATE INDEX `bookings_event_type_start` ON `bookings` (`event_type_id`,`start_time`,`status`,`assigned_host_id`);
--> statement-breakpoint
-- What was made on each UTC day and what became of it, so that a month of usage is thirty rows and not all that was
-- booked in it. Whatever changes a booking or a delivery counts in the same commit, so triggers do. That costs as many
-- written rows as the two indexes that the counts were read from.
CREATE TABLE `usage_days` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`day` integer NOT NULL,
	`bookings` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`unpaid` integer DEFAULT 0 NOT NULL,
	`deliveries` integer DEFAULT 0 NOT NULL,
	`arrived` integer DEFAULT 0 NOT NULL,
	`given_up` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
SELECT organization_id, is_test, created_at / 86400000, count(*), sum(status = 'cancelled'), sum(status = 'pending_payment')
FROM bookings GROUP BY 1, 2, 3;
--> statement-breakpoint
INSERT INTO usage_days (organization_id, is_test, day, deliveries, arrived, given_up)
SELECT organization_id, is_test, created_at / 86400000, count(*), sum(status = 'success'), sum(status IN ('failed', 'retried'))
FROM webhook_deliveries WHERE true GROUP BY 1, 2, 3
ON CONFLICT DO UPDATE SET deliveries = excluded.deliveries, arrived = excluded.arrived, given_up = excluded.given_up;
--> statement-breakpoint
DROP INDEX `bookings_created`;--> statement-breakpoint
CREATE TRIGGER bookings_usage_insert AFTER INSERT ON bookings
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status = 'pending_payment')
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_change AFTER UPDATE OF status ON bookings
WHEN (OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR (OLD.status = 'pending_payment') <> (NEW.status = 'pending_payment')
BEGIN
  UPDATE usage_days
  SET cancelled = cancelled + (NEW.status = 'cancelled') - (OLD.status = 'cancelled'),
    unpaid = unpaid + (NEW.status = 'pending_payment') - (OLD.status = 'pending_payment')
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
-- The service never does that to a booking; whoever mends one by hand need not think of the counts.
CREATE TRIGGER bookings_usage_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (NEW.status = 'cancelled'), unpaid = unpaid - (NEW.status = 'pending_payment')
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status = 'pending_payment')
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_delete AFTER DELETE ON bookings
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (OLD.status = 'cancelled'), unpaid = unpaid - (OLD.status = 'pending_payment')
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
END;
--> statement-breakpoint
-- None for deletions: what was sent stays counted when old deliveries are pruned.
CREATE TRIGGER webhook_deliveries_usage_insert AFTER INSERT ON webhook_deliveries
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, deliveries, arrived, given_up)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'success', NEW.status IN ('failed', 'retried'))
  ON CONFLICT DO UPDATE SET deliveries = deliveries + 1, arrived = arrived + excluded.arrived, given_up = given_up + excluded.given_up;
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_usage_change AFTER UPDATE OF status ON webhook_deliveries
WHEN (OLD.status = 'success') <> (NEW.status = 'success')
  OR (OLD.status IN ('failed', 'retried')) <> (NEW.status IN ('failed', 'retried'))
BEGIN
  UPDATE usage_days
  SET arrived = arrived + (NEW.status = 'success') - (OLD.status = 'success'),
    given_up = given_up + (NEW.status IN ('failed', 'retried')) - (OLD.status IN ('failed', 'retried'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
DROP INDEX `webhook_deliveries_organization`;--> statement-breakpoint
-- Only a sandbox is emptied.
CREATE INDEX `webhook_deliveries_sandbox` ON `webhook_deliveries` (`organization_id`) WHERE is_test = 1;--> statement-breakpoint
-- All deliveries of an endpoint are found by their statuses, too.
DROP INDEX `webhook_deliveries_endpoint`;--> statement-breakpoint
CREATE INDEX `activity_action` ON `activity` (`organization_id`,`is_test`,`resource_type`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `activity_resource` ON `activity` (`resource_id`,`id`) WHERE resource_id IS NOT NULL;--> statement-breakpoint
DROP INDEX `waitlist_entries_organization`;--> statement-breakpoint
CREATE INDEX `waitlist_entries_status` ON `waitlist_entries` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_entries_event_type` ON `waitlist_entries` (`event_type_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_entries_slot` ON `waitlist_entries` (`event_type_id`,`start_time`,`place`) WHERE status = 'waiting';--> statement-breakpoint
-- Invitations that nobody took up any more are not read again.
DROP INDEX `invitations_organization`;--> statement-breakpoint
CREATE INDEX `invitations_open` ON `invitations` (`organization_id`,`is_test`,`expires_at`) WHERE accepted_at IS NULL AND revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `api_keys_active` ON `api_keys` (`organization_id`) WHERE revoked_at IS NULL;--> statement-breakpoint
CREATE INDEX `api_keys_used` ON `api_keys` (`organization_id`,`is_test`,`last_used_at`) WHERE last_used_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `event_types_active` ON `event_types` (`organization_id`,`is_test`,`active`,`id`) WHERE deleted_at IS NULL;--> statement-breakpoint
-- What was paid, in each currency, so that the sums of years are one row. Whatever changes a payment counts in the same
-- commit, so triggers do. The provider's fee that goes back with a refund is rounded as for a single payment.
CREATE TABLE `payment_sums` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`currency` text NOT NULL,
	`payments` integer NOT NULL,
	`revenue` integer NOT NULL,
	`fees` integer NOT NULL,
	`refunded` integer NOT NULL,
	`pending` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `currency`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO payment_sums
SELECT organization_id, is_test, currency, count(*), sum((payments.status IN ('succeeded', 'refunded', 'partially_refunded')) * payments.amount),
  sum((payments.status IN ('succeeded', 'refunded', 'partially_refunded')) * (payments.platform_fee - payments.platform_fee * payments.refunded_amount / max(payments.amount, 1))),
  sum(refunded_amount), sum(status = 'pending')
FROM payments GROUP BY 1, 2, 3;
--> statement-breakpoint
CREATE TRIGGER payments_sum_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO payment_sums (organization_id, is_test, currency, payments, revenue, fees, refunded, pending)
  VALUES (NEW.organization_id, NEW.is_test, NEW.currency, 1, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * NEW.amount,
    (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * (NEW.platform_fee - NEW.platform_fee * NEW.refunded_amount / max(NEW.amount, 1)),
    NEW.refunded_amount, NEW.status = 'pending')
  ON CONFLICT DO UPDATE SET payments = payments + 1, revenue = revenue + excluded.revenue, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded, pending = pending + excluded.pending;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_change AFTER UPDATE OF status, refunded_amount ON payments
WHEN OLD.status <> NEW.status OR OLD.refunded_amount <> NEW.refunded_amount
BEGIN
  UPDATE payment_sums SET
    revenue = revenue + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * NEW.amount
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * OLD.amount,
    fees = fees + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded')) * (NEW.platform_fee - NEW.platform_fee * NEW.refunded_amount / max(NEW.amount, 1))
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * (OLD.platform_fee - OLD.platform_fee * OLD.refunded_amount / max(OLD.amount, 1)),
    refunded = refunded + NEW.refunded_amount - OLD.refunded_amount,
    pending = pending + (NEW.status = 'pending') - (OLD.status = 'pending')
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_delete AFTER DELETE ON payments
BEGIN
  UPDATE payment_sums SET payments = payments - 1,
    revenue = revenue - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * OLD.amount,
    fees = fees - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded')) * (OLD.platform_fee - OLD.platform_fee * OLD.refunded_amount / max(OLD.amount, 1)),
    refunded = refunded - OLD.refunded_amount, pending = pending - (OLD.status = 'pending')
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency;
  DELETE FROM payment_sums
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency AND payments = 0;
END;
--> statement-breakpoint
-- What stands in a calendar, by its name there and by its time: a sync asks for a few of all that was ever written.
CREATE INDEX `calendar_writes_event` ON `calendar_writes` (`connection_id`,`event_id`) WHERE event_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_time` ON `calendar_writes` (`connection_id`,`written_start`) WHERE written_start IS NOT NULL;--> statement-breakpoint
-- What was given up; what is pending is due, and has an index for that.
CREATE INDEX `calendar_writes_failed` ON `calendar_writes` (`connection_id`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `meetings_failed` ON `meetings` (`organization_id`) WHERE status = 'failed';--> statement-breakpoint
CREATE INDEX `freed_times_source` ON `freed_times` (`source`);
