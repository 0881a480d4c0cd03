ALTER TABLE `bookings` ADD `series_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `place` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `resources` text;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `blocks` text DEFAULT 'busy' NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `everybody` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `resource_id` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `requires` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `pool_size` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `series_max` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `places` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `listed` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `follow_up_minutes` integer;--> statement-breakpoint
ALTER TABLE `event_types` ADD `reminder_channels` text DEFAULT '["email"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_type_hosts` ADD `part` text DEFAULT 'pool' NOT NULL;--> statement-breakpoint
ALTER TABLE `time_off` ADD `resource_id` text;