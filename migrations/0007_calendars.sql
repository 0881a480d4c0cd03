CREATE TABLE `calendar_busy_times` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `starts_at`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_busy_times_event` ON `calendar_busy_times` (`connection_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `calendar_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`provider` text NOT NULL,
	`account_key` text NOT NULL,
	`account_email` text NOT NULL,
	`calendar_id` text NOT NULL,
	`timezone` text,
	`credentials` text NOT NULL,
	`provider_metadata` text NOT NULL,
	`status` text NOT NULL,
	`sync_status` text NOT NULL,
	`sync_error` text,
	`sync_cursor` text,
	`synced_until` integer DEFAULT 0 NOT NULL,
	`last_sync_at` integer,
	`next_sync_at` integer NOT NULL,
	`sync_failures` integer DEFAULT 0 NOT NULL,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_account` ON `calendar_connections` (`organization_id`,`is_test`,`account_key`);--> statement-breakpoint
CREATE INDEX `calendar_connections_organization` ON `calendar_connections` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_connections_member` ON `calendar_connections` (`member_id`,`is_test`);--> statement-breakpoint
CREATE INDEX `calendar_connections_due` ON `calendar_connections` (`next_sync_at`) WHERE status IN ('active', 'error');--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`uid` text NOT NULL,
	`etag` text,
	`starts_at` integer,
	`ends_at` integer,
	PRIMARY KEY(`connection_id`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_events_uid` ON `calendar_events` (`connection_id`,`uid`);--> statement-breakpoint
CREATE TABLE `calendar_writes` (
	`holder_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`uid` text NOT NULL,
	`event_id` text,
	`etag` text,
	`written_revision` integer DEFAULT 0 NOT NULL,
	`written_start` integer,
	`written_end` integer,
	`meeting_url` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`last_error` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calendar_writes_connection` ON `calendar_writes` (`connection_id`,`uid`);--> statement-breakpoint
CREATE INDEX `calendar_writes_due` ON `calendar_writes` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conferencing_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`account_email` text,
	`credentials` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conferencing_connections_provider` ON `conferencing_connections` (`organization_id`,`is_test`,`provider`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`holder_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`meeting_id` text,
	`join_url` text,
	`written_revision` integer DEFAULT 0 NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`last_error` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `meetings_due` ON `meetings` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `calendar_connection_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `calendar_event_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `busy_as_of` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `sync_error` text;--> statement-breakpoint
CREATE INDEX `bookings_calendar` ON `bookings` (`calendar_connection_id`,`start_time`,`status`) WHERE calendar_connection_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `calendar_connection_id` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `default_calendar_connection_id` text;