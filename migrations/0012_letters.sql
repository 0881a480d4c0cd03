-- Nobody knows any more how the bookings that are there were made, so all of them count as a stranger's.
ALTER TABLE `bookings` ADD `is_keyless` integer DEFAULT 1 NOT NULL;
--> statement-breakpoint
-- A letter that is on its way holds what it is about and is written when it is sent; then its row goes. Those
-- that wait at this moment are kept as they were written. SQLite makes no column nullable, so the table is new.
CREATE TABLE `emails_on_their_way` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`recipient_id` text,
	`occasion` integer,
	`recipient` text NOT NULL,
	`message` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `emails_on_their_way`
SELECT `id`, `organization_id`, 'ready', NULL, NULL, NULL, `recipient`,
  CASE `status` WHEN 'pending' THEN `message` END,
  `status`, `attempts`, `next_attempt_at`, `last_error`, `created_at`
FROM `emails` WHERE `status` <> 'sent';--> statement-breakpoint
DROP TABLE `emails`;--> statement-breakpoint
ALTER TABLE `emails_on_their_way` RENAME TO `emails`;--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `emails_failed` ON `emails` (`created_at`) WHERE status = 'failed';--> statement-breakpoint
-- These two are read and pruned by their keys alone, so one tree holds all of each.
CREATE TABLE `letter_keys` (
	`once_key` text PRIMARY KEY NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `letter_counts` (
	`day` integer NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`address` text NOT NULL,
	`letters` integer NOT NULL,
	PRIMARY KEY(`day`, `organization_id`, `is_test`, `address`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `sandbox_files` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_files_organization` ON `sandbox_files` (`organization_id`);--> statement-breakpoint
CREATE INDEX `sandbox_files_age` ON `sandbox_files` (`created_at`);--> statement-breakpoint
CREATE INDEX `sandbox_outbox_age` ON `sandbox_outbox` (`created_at`);
--> statement-breakpoint
ALTER TABLE `events` ADD `retry_at` integer;--> statement-breakpoint
DROP INDEX `events_unhandled`;--> statement-breakpoint
CREATE INDEX `events_unhandled` ON `events` (coalesce(retry_at, created_at),`id`) WHERE handled_at IS NULL;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_over` ON `webhook_deliveries` (`created_at`) WHERE status <> 'pending';--> statement-breakpoint
CREATE INDEX `activity_addresses` ON `activity` (`created_at`) WHERE ip_address IS NOT NULL;--> statement-breakpoint
CREATE INDEX `api_keys_revoked` ON `api_keys` (`revoked_at`) WHERE revoked_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `invitations_ended` ON `invitations` (coalesce(accepted_at, revoked_at, expires_at));--> statement-breakpoint
CREATE INDEX `event_types_deleted` ON `event_types` (`deleted_at`) WHERE deleted_at IS NOT NULL;
--> statement-breakpoint
CREATE INDEX `invitations_address` ON `invitations` (`organization_id`,lower(email),`id`);--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `challenged_at` text DEFAULT '[]' NOT NULL;
