CREATE TABLE `email_texts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`locale` text NOT NULL,
	`subject` text,
	`intro` text,
	`closing` text,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `email_texts_kind` ON `email_texts` (`organization_id`,`kind`,`locale`);--> statement-breakpoint
ALTER TABLE `bookings` ADD `follow_up_minutes` integer;