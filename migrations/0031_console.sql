CREATE TABLE `console_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`member_id` text,
	`used_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_links_token` ON `console_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_links_created` ON `console_links` (`created_at`);--> statement-breakpoint
CREATE TABLE `console_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`email` text NOT NULL,
	`member_id` text,
	`organization_id` text,
	`is_test` integer DEFAULT false NOT NULL,
	`device` text DEFAULT '' NOT NULL,
	`proven_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `console_sessions_token` ON `console_sessions` (`token_hash`);--> statement-breakpoint
CREATE INDEX `console_sessions_email` ON `console_sessions` (`email`,`id`);--> statement-breakpoint
CREATE INDEX `console_sessions_member` ON `console_sessions` (`member_id`,`id`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `console_sessions_used` ON `console_sessions` (`used_at`);--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`network` text NOT NULL,
	`locale` text NOT NULL,
	`path` text NOT NULL,
	`wrong_tries` integer DEFAULT 0 NOT NULL,
	`used_at` integer,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `sign_in_codes_email` ON `sign_in_codes` (`email`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_network` ON `sign_in_codes` (`network`,`created_at`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_created` ON `sign_in_codes` (`created_at`);--> statement-breakpoint
CREATE INDEX `members_email` ON `members` (lower(user_email),`id`);