CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`name` text NOT NULL,
	`description` text,
	`hash` text NOT NULL,
	`key_prefix` text NOT NULL,
	`last_used_at` integer,
	`expires_at` integer,
	`revoked_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_organization` ON `api_keys` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`status` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`invitee_name` text NOT NULL,
	`invitee_email` text NOT NULL,
	`invitee_timezone` text NOT NULL,
	`notes` text,
	`metadata` text NOT NULL,
	`attendees` text NOT NULL,
	`assigned_host_id` text,
	`conferencing_url` text,
	`location` text,
	`cancelled_at` integer,
	`cancel_reason` text,
	`rescheduled_at` integer,
	`previous_start_time` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `bookings_organization` ON `bookings` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_event_type_start` ON `bookings` (`event_type_id`,`start_time`,`status`);--> statement-breakpoint
CREATE INDEX `bookings_invitee` ON `bookings` (`organization_id`,`is_test`,`invitee_email`);--> statement-breakpoint
CREATE TABLE `holds` (
	`resource_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`holder_id` text NOT NULL,
	PRIMARY KEY(`resource_id`, `starts_at`)
);
--> statement-breakpoint
CREATE INDEX `holds_holder` ON `holds` (`holder_id`);--> statement-breakpoint
CREATE TABLE `availability_overrides` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`date` text NOT NULL,
	`intervals` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `availability_overrides_date` ON `availability_overrides` (`event_type_id`,`date`);--> statement-breakpoint
CREATE TABLE `availability_rules` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`day_of_week` integer NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `availability_rules_event_type` ON `availability_rules` (`event_type_id`,`id`);--> statement-breakpoint
CREATE TABLE `event_types` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`description` text,
	`duration_minutes` integer NOT NULL,
	`buffer_before_minutes` integer NOT NULL,
	`buffer_after_minutes` integer NOT NULL,
	`minimum_notice_minutes` integer NOT NULL,
	`color` text NOT NULL,
	`timezone` text NOT NULL,
	`active` integer NOT NULL,
	`price_amount` integer,
	`price_currency` text NOT NULL,
	`reminder_intervals` text NOT NULL,
	`duration_options` text,
	`max_attendees` integer NOT NULL,
	`assignment_strategy` text NOT NULL,
	`booking_cap` integer,
	`booking_cap_period` text,
	`waitlist_enabled` integer NOT NULL,
	`waitlist_max` integer NOT NULL,
	`waitlist_ttl_days` integer NOT NULL,
	`booking_page_enabled` integer NOT NULL,
	`conferencing_provider` text,
	`custom_meeting_url` text,
	`location` text,
	`active_bookings` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_types_slug` ON `event_types` (`organization_id`,`is_test`,`slug`) WHERE deleted_at IS NULL;--> statement-breakpoint
CREATE INDEX `event_types_organization` ON `event_types` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `booking_quotas` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`bookings` integer NOT NULL,
	`quota` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`),
	CONSTRAINT "booking_quota" CHECK(bookings <= quota)
);
--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`user_id` text NOT NULL,
	`user_email` text NOT NULL,
	`role` text NOT NULL,
	`invited_by` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_user` ON `members` (`organization_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`owner_user_id` text,
	`timezone` text DEFAULT 'UTC' NOT NULL,
	`tier` text DEFAULT 'free' NOT NULL,
	`onboarding_persona` text,
	`suspended_at` integer,
	`onboarding_completed_at` integer,
	`booking_link_shared_at` integer,
	`availability_confirmed_at` integer,
	`checklist_dismissed_at` integer,
	`first_booking_celebrated_at` integer,
	`logo_url` text,
	`logo_alt_text` text,
	`remove_branding` integer DEFAULT false NOT NULL,
	`listing_page_enabled` integer DEFAULT true NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_slug` ON `organizations` (`slug`);--> statement-breakpoint
CREATE UNIQUE INDEX `organizations_owner` ON `organizations` (`owner_user_id`);--> statement-breakpoint
CREATE TABLE `activity` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text,
	`changes` text,
	`ip_address` text,
	`request_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_organization` ON `activity` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE TABLE `event_sequences` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`)
);
--> statement-breakpoint
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`previous` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_sequence` ON `events` (`organization_id`,`is_test`,`sequence`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);