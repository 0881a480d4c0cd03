-- A page of a list is read from one end of one index, newest first. An index that ends with `status`, `id` serves one
-- status and, by walking each status beside the others, all of them, so that no second one is written without it.
DROP INDEX `bookings_organization`;--> statement-breakpoint
CREATE INDEX `bookings_status` ON `bookings` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
DROP INDEX `bookings_event_type`;--> statement-breakpoint
CREATE INDEX `bookings_event_type` ON `bookings` (`event_type_id`,`status`,`id`);--> statement-breakpoint
DROP INDEX `bookings_assigned_host`;--> statement-breakpoint
CREATE INDEX `bookings_host` ON `bookings` (`assigned_host_id`,`is_test`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_host_event_type` ON `bookings` (`assigned_host_id`,`event_type_id`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
-- Also what each host of an event type has ahead is counted in it, so that no index of its own is needed for that.
DROP INDEX `bookings_event_type_start`;--> statement-breakpoint
CREATE INDEX `bookings_event_type_start` ON `bookings` (`event_type_id`,`start_time`,`status`,`assigned_host_id`);
