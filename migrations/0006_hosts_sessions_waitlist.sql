CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`seats_taken` integer DEFAULT 0 NOT NULL,
	`assigned_host` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_start` ON `sessions` (`event_type_id`,`start_time`);--> statement-breakpoint
CREATE TABLE `event_type_hosts` (
	`id` text PRIMARY KEY NOT NULL,
	`event_type_id` text NOT NULL,
	`member_id` text NOT NULL,
	`resource_id` text NOT NULL,
	`priority` integer NOT NULL,
	`weight` integer NOT NULL,
	`total_bookings` integer DEFAULT 0 NOT NULL,
	`last_booking_at` integer,
	`last_assignment` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `event_type_hosts_member` ON `event_type_hosts` (`event_type_id`,`member_id`);--> statement-breakpoint
CREATE INDEX `event_type_hosts_resource` ON `event_type_hosts` (`resource_id`);--> statement-breakpoint
CREATE INDEX `event_type_hosts_memberships` ON `event_type_hosts` (`member_id`);--> statement-breakpoint
CREATE TABLE `waitlist_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`status` text NOT NULL,
	`invitee_name` text NOT NULL,
	`invitee_email` text NOT NULL,
	`invitee_timezone` text NOT NULL,
	`notes` text,
	`start_time` integer,
	`duration_minutes` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`promoted_booking_id` text,
	`promoted_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `waitlist_entries_organization` ON `waitlist_entries` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `waitlist_entries_line` ON `waitlist_entries` (`event_type_id`,`id`) WHERE status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_expiry` ON `waitlist_entries` (`expires_at`) WHERE status = 'waiting';--> statement-breakpoint
CREATE UNIQUE INDEX `waitlist_entries_waiting` ON `waitlist_entries` (`event_type_id`,CASE WHEN start_time IS NULL THEN -1 ELSE start_time END,lower(invitee_email)) WHERE status = 'waiting';--> statement-breakpoint
ALTER TABLE `bookings` ADD `assigned_host` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `session_id` text;--> statement-breakpoint
CREATE INDEX `bookings_assigned_host` ON `bookings` (`assigned_host_id`,`event_type_id`,`start_time`,`status`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_session` ON `bookings` (`session_id`) WHERE session_id IS NOT NULL;
--> statement-breakpoint
-- A booking that is in a session takes its seats there, and nobody takes a seat too many.
CREATE TRIGGER bookings_take_seats AFTER INSERT ON bookings
WHEN NEW.session_id IS NOT NULL AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees) WHERE id = NEW.session_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_change_seats AFTER UPDATE OF status, session_id ON bookings
WHEN OLD.session_id IS NOT NEW.session_id OR (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
BEGIN
  SELECT RAISE(ABORT, 'STALE')
  WHERE NEW.session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
  WHERE id = NEW.session_id AND NEW.status <> 'cancelled';
  UPDATE sessions SET seats_taken = seats_taken - json_array_length(OLD.attendees)
  WHERE id = OLD.session_id AND OLD.status <> 'cancelled';
END;
--> statement-breakpoint
CREATE TRIGGER sessions_refuse_seats BEFORE UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken > OLD.seats_taken
BEGIN
  SELECT RAISE(ABORT, 'SEATS_TAKEN')
  WHERE NEW.seats_taken > (SELECT max_attendees FROM event_types WHERE id = NEW.event_type_id);
END;
--> statement-breakpoint
-- The hold of a session goes with its last seat.
CREATE TRIGGER sessions_end AFTER UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken <= 0
BEGIN
  DELETE FROM holds WHERE holder_id = OLD.id;
  DELETE FROM sessions WHERE id = OLD.id;
END;
