ALTER TABLE `event_types` ADD `position` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `group_name` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `redirect_url` text;