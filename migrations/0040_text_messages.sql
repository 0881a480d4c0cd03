CREATE TABLE `text_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`booking_id` text NOT NULL,
	`kind` text NOT NULL,
	`occasion` integer NOT NULL,
	`once_key` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`provider_id` text,
	`segments` integer,
	`last_error` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `text_messages_once` ON `text_messages` (`once_key`);--> statement-breakpoint
CREATE INDEX `text_messages_organization` ON `text_messages` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `text_messages_pending` ON `text_messages` (`is_test`,`next_attempt_at`,`id`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `text_messages_pending_sandbox` ON `text_messages` (`organization_id`,`is_test`,`next_attempt_at`) WHERE is_test = 1 AND status = 'pending';--> statement-breakpoint
CREATE INDEX `text_messages_age` ON `text_messages` (`created_at`);--> statement-breakpoint
CREATE TABLE `text_opt_outs` (
	`sender` text NOT NULL,
	`number_hash` text NOT NULL,
	`opted_out_at` integer NOT NULL,
	PRIMARY KEY(`sender`, `number_hash`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `bookings` ADD `sms_consent` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `sms_per_number_day` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `sms_per_day` integer;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `sms_consent` integer DEFAULT false NOT NULL;
--> statement-breakpoint
CREATE TRIGGER text_messages_due_insert AFTER INSERT ON text_messages
WHEN NEW.is_test = 1
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.next_attempt_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.next_attempt_at, 1);
END;
