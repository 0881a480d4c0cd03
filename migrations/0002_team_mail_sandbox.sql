CREATE TABLE `emails` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`once_key` text NOT NULL,
	`recipient` text NOT NULL,
	`message` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `emails_once` ON `emails` (`once_key`);--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE TABLE `reminders` (
	`booking_id` text NOT NULL,
	`minutes_before` integer NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`due_at` integer NOT NULL,
	PRIMARY KEY(`booking_id`, `minutes_before`)
);
--> statement-breakpoint
CREATE INDEX `reminders_due` ON `reminders` (`due_at`);--> statement-breakpoint
CREATE INDEX `reminders_sandbox` ON `reminders` (`organization_id`,`due_at`) WHERE is_test = 1;--> statement-breakpoint
CREATE TABLE `sandbox_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`once_key` text NOT NULL,
	`channel` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text,
	`body` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sandbox_outbox_once` ON `sandbox_outbox` (`once_key`);--> statement-breakpoint
CREATE INDEX `sandbox_outbox_organization` ON `sandbox_outbox` (`organization_id`,`id`);--> statement-breakpoint
CREATE TABLE `support_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`subject` text NOT NULL,
	`message` text NOT NULL,
	`category` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `support_requests_organization` ON `support_requests` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`token_hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_token` ON `invitations` (`token_hash`);--> statement-breakpoint
CREATE INDEX `invitations_organization` ON `invitations` (`organization_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_pending` ON `invitations` (`organization_id`,`is_test`,lower(email)) WHERE accepted_at IS NULL AND revoked_at IS NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `sandbox_now` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `revision` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `events` ADD `handled_at` integer;--> statement-breakpoint
CREATE INDEX `events_unhandled` ON `events` (`created_at`) WHERE handled_at IS NULL;