CREATE TABLE `client_bookings` (
	`booking_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`contact` text NOT NULL,
	`is_cancelled` integer NOT NULL,
	`start_time` integer NOT NULL,
	`no_show` integer NOT NULL
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `client_bookings_start` ON `client_bookings` (`organization_id`,`is_test`,`contact`,`is_cancelled`,`start_time`);--> statement-breakpoint
CREATE TABLE `client_words` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`word` text NOT NULL,
	`contact` text NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `word`, `contact`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `clients` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`contact` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`sort_name` text NOT NULL,
	`words` text NOT NULL,
	`phone` text,
	`phone_mark` text,
	`named_by` text DEFAULT '' NOT NULL,
	`bookings` integer DEFAULT 0 NOT NULL,
	`cancelled` integer DEFAULT 0 NOT NULL,
	`no_shows` integer DEFAULT 0 NOT NULL,
	`last_at` integer DEFAULT 0 NOT NULL,
	`next_at` integer DEFAULT 8640000000000000 NOT NULL,
	`notes` text,
	PRIMARY KEY(`organization_id`, `is_test`, `contact`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `clients_id` ON `clients` (`id`);--> statement-breakpoint
CREATE INDEX `clients_name` ON `clients` (`organization_id`,`is_test`,`sort_name`,`id`);--> statement-breakpoint
CREATE INDEX `clients_last` ON `clients` (`organization_id`,`is_test`,`last_at`,`id`);--> statement-breakpoint
CREATE INDEX `clients_next` ON `clients` (`organization_id`,`is_test`,`next_at`,`id`);--> statement-breakpoint
CREATE INDEX `clients_bookings` ON `clients` (`organization_id`,`is_test`,`bookings`,`id`);--> statement-breakpoint
CREATE INDEX `clients_phone` ON `clients` (`phone_mark`,`organization_id`,`is_test`) WHERE phone_mark IS NOT NULL;--> statement-breakpoint
CREATE TABLE `images` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`use` text NOT NULL,
	`hash` text NOT NULL,
	`format` text NOT NULL,
	`content` text,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `images_use` ON `images` (`organization_id`,`use`);--> statement-breakpoint
CREATE INDEX `images_hash` ON `images` (`hash`);--> statement-breakpoint
ALTER TABLE `bookings` ADD `zone_unknown` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `zone_unknown` integer DEFAULT false NOT NULL;
--> statement-breakpoint
-- The sweep counts existing bookings for their clients.
UPDATE `booking_searches` SET `filled_to` = '';
