ALTER TABLE `event_types` ADD `collective_bookings` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `collective_booked_at` integer;