CREATE TABLE `slot_holds` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`purpose` text NOT NULL,
	`status` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`seats` integer NOT NULL,
	`assigned_host_id` text,
	`assigned_host` text,
	`session_id` text,
	`calendar_connection_id` text,
	`busy_as_of` integer,
	`credited_ids` text NOT NULL,
	`is_assignment` integer NOT NULL,
	`metadata` text NOT NULL,
	`booking_id` text,
	`token_hash` text,
	`network_mark` text,
	`expires_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `slot_holds_event_type` ON `slot_holds` (`event_type_id`,`expires_at`) WHERE status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_session` ON `slot_holds` (`session_id`) WHERE session_id IS NOT NULL AND status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_network` ON `slot_holds` (`organization_id`,`is_test`,`network_mark`) WHERE status = 'held' AND network_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `slot_holds_due` ON `slot_holds` (`expires_at`,`id`) WHERE status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_over` ON `slot_holds` (`expires_at`) WHERE status <> 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_booking` ON `slot_holds` (`booking_id`) WHERE booking_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `slot_holds_token` ON `slot_holds` (`token_hash`) WHERE status = 'held' AND token_hash IS NOT NULL;--> statement-breakpoint
ALTER TABLE `holds` ADD `expires_at` integer;--> statement-breakpoint
CREATE INDEX `holds_expiry` ON `holds` (`resource_id`,`expires_at`) WHERE expires_at IS NOT NULL;--> statement-breakpoint
-- What is held stays as it is; until when, and for whom, may change.
DROP TRIGGER holds_refuse_update;
--> statement-breakpoint
CREATE TRIGGER holds_refuse_update BEFORE UPDATE OF resource_id, starts_at, ends_at, kept_by, meets_at ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_IMMUTABLE');
END;
--> statement-breakpoint
-- What is over stays so; only an expired hold may still become a booking, where its time is taken anew.
CREATE TRIGGER slot_holds_refuse_revival BEFORE UPDATE OF status ON slot_holds
WHEN OLD.status <> NEW.status AND (NEW.status = 'held' OR OLD.status IN ('confirmed', 'released')
  OR (OLD.status = 'expired' AND NEW.status <> 'confirmed'))
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
-- A session that only holds wait in ends with the last of their deadlines.
CREATE TRIGGER slot_holds_take_seats AFTER INSERT ON slot_holds
WHEN NEW.session_id IS NOT NULL AND NEW.purpose = 'hold'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + NEW.seats WHERE id = NEW.session_id;
  UPDATE holds SET expires_at = max(expires_at, NEW.expires_at) WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL;
END;
--> statement-breakpoint
-- A booking that waits holds its time no longer than it waits.
CREATE TRIGGER slot_holds_limit_insert AFTER INSERT ON slot_holds
WHEN NEW.purpose <> 'hold' AND NEW.status = 'held'
BEGIN
  UPDATE holds SET expires_at = NEW.expires_at WHERE holder_id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_limit_change AFTER UPDATE OF expires_at ON slot_holds
WHEN NEW.status = 'held'
BEGIN
  UPDATE holds SET expires_at = NEW.expires_at WHERE holder_id = NEW.id;
END;
--> statement-breakpoint
-- What becomes a booking is held by it without a deadline.
CREATE TRIGGER slot_holds_confirm AFTER UPDATE OF status ON slot_holds
WHEN OLD.status = 'held' AND NEW.status = 'confirmed'
BEGIN
  UPDATE holds SET holder_id = NEW.booking_id, expires_at = NULL WHERE holder_id = OLD.id;
END;
--> statement-breakpoint
-- What is released or over gives back its time, its seats and its place in the cap.
CREATE TRIGGER slot_holds_end AFTER UPDATE OF status ON slot_holds
WHEN OLD.status = 'held' AND NEW.status IN ('released', 'expired')
BEGIN
  DELETE FROM holds WHERE holder_id = OLD.id;
  UPDATE sessions SET seats_taken = seats_taken - OLD.seats WHERE id = OLD.session_id AND OLD.purpose = 'hold';
  UPDATE holds SET expires_at = (SELECT max(expires_at) FROM slot_holds WHERE session_id = OLD.session_id AND status = 'held' AND purpose = 'hold')
  WHERE holder_id = OLD.session_id AND expires_at IS NOT NULL AND OLD.purpose = 'hold';
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT id, OLD.id, 0, 8640000000000000 FROM event_types
  WHERE id = OLD.event_type_id AND booking_cap IS NOT NULL AND OLD.purpose = 'hold'
    AND EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_end_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  DELETE FROM holds WHERE holder_id = OLD.id;
  UPDATE sessions SET seats_taken = seats_taken - OLD.seats WHERE id = OLD.session_id AND OLD.purpose = 'hold';
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_insert AFTER INSERT ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test));
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_change AFTER UPDATE OF status, expires_at, seats ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test));
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test));
END;
--> statement-breakpoint
-- The same as before, and what was held for a booking becomes its seats in one step; a session that somebody comes to has
-- no deadline.
DROP TRIGGER bookings_take_seats;
--> statement-breakpoint
CREATE TRIGGER bookings_take_seats AFTER INSERT ON bookings
WHEN NEW.session_id IS NOT NULL AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
    - coalesce((SELECT seats FROM slot_holds WHERE booking_id = NEW.id AND session_id = NEW.session_id AND purpose = 'hold'), 0)
  WHERE id = NEW.session_id;
  UPDATE holds SET expires_at = NULL WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL;
END;
--> statement-breakpoint
DROP TRIGGER bookings_change_seats;
--> statement-breakpoint
CREATE TRIGGER bookings_change_seats AFTER UPDATE OF status, session_id ON bookings
WHEN OLD.session_id IS NOT NEW.session_id OR (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
BEGIN
  SELECT RAISE(ABORT, 'STALE')
  WHERE NEW.session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
  WHERE id = NEW.session_id AND NEW.status <> 'cancelled';
  UPDATE holds SET expires_at = NULL
  WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL AND NEW.status <> 'cancelled';
  UPDATE sessions SET seats_taken = seats_taken - json_array_length(OLD.attendees)
  WHERE id = OLD.session_id AND OLD.status <> 'cancelled';
  UPDATE holds SET expires_at = (SELECT max(expires_at) FROM slot_holds WHERE session_id = OLD.session_id AND status = 'held' AND purpose = 'hold')
  WHERE holder_id = OLD.session_id AND expires_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM bookings WHERE session_id = OLD.session_id AND status <> 'cancelled');
END;
