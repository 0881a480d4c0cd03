-- What calls without a key have made, each in a window that ends: once that time has passed, the row is swept away.
-- The window comes first in the key, so that the sweep finds what is over without an index of its own.
CREATE TABLE `public_counts` (
	`ends_at` integer NOT NULL,
	`subject` text NOT NULL,
	`made` integer NOT NULL,
	PRIMARY KEY(`ends_at`, `subject`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `organizations` ADD `bookings_per_network_hour` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `pending_per_network` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `active_per_email` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `waiting_per_email` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `network_mark` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `address_mark` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `invitee_moves` text;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `address_mark` text;--> statement-breakpoint
CREATE INDEX `bookings_pending_network` ON `bookings` (`organization_id`,`is_test`,`network_mark`) WHERE status = 'pending_payment' AND network_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_active_address` ON `bookings` (`event_type_id`,`address_mark`,`start_time`) WHERE status <> 'cancelled' AND address_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `waitlist_entries_waiting_address` ON `waitlist_entries` (`event_type_id`,`address_mark`,`expires_at`) WHERE status = 'waiting' AND address_mark IS NOT NULL;--> statement-breakpoint
DROP TRIGGER guard_refuses;--> statement-breakpoint
-- The same as before, and one fence more: what a stranger may have made meanwhile in another object.
CREATE TRIGGER guard_refuses INSTEAD OF INSERT ON guard
WHEN NEW.refused
BEGIN
  SELECT RAISE(ABORT, 'CAP_REACHED') WHERE NEW.fence = 'CAP_REACHED';
  SELECT RAISE(ABORT, 'PUBLIC_LIMIT') WHERE NEW.fence = 'PUBLIC_LIMIT';
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
ALTER TABLE `event_types` ADD `verify_email` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- The last code that was mailed to an address for an event type; both are kept as keyed hashes only.
CREATE TABLE `email_codes` (
	`subject` text PRIMARY KEY NOT NULL,
	`code_mark` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `email_codes_created` ON `email_codes` (`created_at`);
