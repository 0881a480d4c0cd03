CREATE TABLE `series` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`skipped` text NOT NULL,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `series_organization` ON `series` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `series_event_type` ON `series` (`event_type_id`);--> statement-breakpoint
CREATE INDEX `bookings_series` ON `bookings` (`series_id`) WHERE series_id IS NOT NULL;