DROP INDEX `bookings_invitee`;--> statement-breakpoint
CREATE INDEX `bookings_created` ON `bookings` (`organization_id`,`is_test`,`created_at`,`status`);--> statement-breakpoint
CREATE INDEX `bookings_event_type` ON `bookings` (`event_type_id`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_invitee` ON `bookings` (`organization_id`,`is_test`,lower(invitee_email),`id`);--> statement-breakpoint
CREATE INDEX `members_organizations` ON `members` (`user_id`,`organization_id`);