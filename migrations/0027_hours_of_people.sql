CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text,
	`name` text NOT NULL,
	`timezone` text NOT NULL,
	`rules` text NOT NULL,
	`overrides` text DEFAULT '[]' NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `schedules_organization` ON `schedules` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_member` ON `schedules` (`member_id`) WHERE member_id IS NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_default` ON `schedules` (`member_id`,`is_test`) WHERE is_default = 1;--> statement-breakpoint
CREATE TABLE `time_off` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`start_date` text,
	`end_date` text,
	`reason` text,
	`external_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `time_off_organization` ON `time_off` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `time_off_member` ON `time_off` (`member_id`,`is_test`,`ends_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `time_off_external` ON `time_off` (`member_id`,`is_test`,`external_id`) WHERE external_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `holds` ADD `meets_at` integer;--> statement-breakpoint
ALTER TABLE `event_types` ADD `hours_from` text DEFAULT 'own' NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `schedule_id` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `slot_interval_minutes` integer;--> statement-breakpoint
ALTER TABLE `event_types` ADD `booking_window_days` integer;--> statement-breakpoint
ALTER TABLE `event_types` ADD `bookable_from` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `bookable_until` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `invitee_limit` integer;--> statement-breakpoint
CREATE INDEX `event_types_schedule` ON `event_types` (`schedule_id`) WHERE schedule_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `event_type_hosts` ADD `schedule_id` text;--> statement-breakpoint
CREATE INDEX `event_type_hosts_schedule` ON `event_type_hosts` (`schedule_id`) WHERE schedule_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `max_bookings_per_day` integer;--> statement-breakpoint
ALTER TABLE `members` ADD `max_bookings_per_week` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `hours_version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- Whoever held time before now says so, too, when the meeting begins.
DROP TRIGGER holds_refuse_update;--> statement-breakpoint
UPDATE holds SET meets_at = coalesce(
  (SELECT start_time FROM bookings WHERE bookings.id = holds.holder_id AND session_id IS NULL),
  (SELECT start_time FROM sessions WHERE sessions.id = holds.holder_id));--> statement-breakpoint
CREATE TRIGGER holds_refuse_update BEFORE UPDATE ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_IMMUTABLE');
END;
--> statement-breakpoint
DROP TRIGGER event_type_hosts_version_change;--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_change
AFTER UPDATE OF member_id, resource_id, priority, weight, schedule_id ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
-- The hours of people are shared by event types: what was decided before they changed is not committed after it.
CREATE TRIGGER schedules_version_insert AFTER INSERT ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_version_change AFTER UPDATE OF member_id, timezone, rules, overrides, is_default ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_version_delete AFTER DELETE ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT OLD.is_test),
    test_version = test_version + OLD.is_test WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_insert AFTER INSERT ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_delete AFTER DELETE ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT OLD.is_test),
    test_version = test_version + OLD.is_test WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER members_version_limits AFTER UPDATE OF timezone, max_bookings_per_day, max_bookings_per_week ON members
WHEN OLD.timezone IS NOT NEW.timezone OR OLD.max_bookings_per_day IS NOT NEW.max_bookings_per_day
  OR OLD.max_bookings_per_week IS NOT NEW.max_bookings_per_week
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + 1, test_version = test_version + 1
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version_zone AFTER UPDATE OF timezone ON organizations
WHEN OLD.timezone <> NEW.timezone
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + 1, test_version = test_version + 1
  WHERE id = NEW.id;
END;
--> statement-breakpoint
-- Which event types go by the hours of a schedule.
CREATE VIEW schedule_event_types AS
SELECT schedule_id, id AS event_type_id FROM event_types WHERE schedule_id IS NOT NULL
UNION ALL SELECT schedule_id, event_type_id FROM event_type_hosts WHERE schedule_id IS NOT NULL
UNION ALL SELECT s.id, h.event_type_id
  FROM schedules s JOIN event_type_hosts h ON h.member_id = s.member_id AND h.schedule_id IS NULL
  JOIN event_types e ON e.id = h.event_type_id AND e.is_test = s.is_test;
--> statement-breakpoint
-- What opens time of people owes it to those who wait. Where nobody knows which, it is any time, once for all changes.
CREATE TRIGGER schedules_free_insert AFTER INSERT ON schedules
WHEN NEW.is_default
BEGIN
  DELETE FROM freed_times WHERE source = 'hours'
    AND event_type_id IN (SELECT event_type_id FROM schedule_event_types WHERE schedule_id = NEW.id);
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT DISTINCT event_type_id, 'hours', 0, 8640000000000000 FROM schedule_event_types concerned
  WHERE schedule_id = NEW.id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = concerned.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER schedules_free_change AFTER UPDATE OF member_id, timezone, rules, overrides, is_default ON schedules
BEGIN
  DELETE FROM freed_times WHERE source = 'hours'
    AND event_type_id IN (SELECT event_type_id FROM schedule_event_types WHERE schedule_id = NEW.id);
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT DISTINCT event_type_id, 'hours', 0, 8640000000000000 FROM schedule_event_types concerned
  WHERE schedule_id = NEW.id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = concerned.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
-- Before it goes, while it can be told who went by it.
CREATE TRIGGER schedules_free_delete BEFORE DELETE ON schedules
BEGIN
  DELETE FROM freed_times WHERE source = 'hours'
    AND event_type_id IN (SELECT event_type_id FROM schedule_event_types WHERE schedule_id = OLD.id);
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT DISTINCT event_type_id, 'hours', 0, 8640000000000000 FROM schedule_event_types concerned
  WHERE schedule_id = OLD.id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = concerned.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER time_off_free_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
WHEN NEW.member_id <> OLD.member_id OR NEW.starts_at > OLD.starts_at OR NEW.ends_at < OLD.ends_at
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at
  FROM event_type_hosts h JOIN event_types e ON e.id = h.event_type_id AND e.is_test = OLD.is_test
  WHERE h.member_id = OLD.member_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER time_off_free_delete AFTER DELETE ON time_off
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at
  FROM event_type_hosts h JOIN event_types e ON e.id = h.event_type_id AND e.is_test = OLD.is_test
  WHERE h.member_id = OLD.member_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER members_free_limits AFTER UPDATE OF timezone, max_bookings_per_day, max_bookings_per_week ON members
WHEN (OLD.max_bookings_per_day IS NOT NULL OR OLD.max_bookings_per_week IS NOT NULL) AND (
  OLD.timezone IS NOT NEW.timezone OR NEW.max_bookings_per_day > OLD.max_bookings_per_day
  OR NEW.max_bookings_per_week > OLD.max_bookings_per_week
  OR (NEW.max_bookings_per_day IS NULL AND OLD.max_bookings_per_day IS NOT NULL)
  OR (NEW.max_bookings_per_week IS NULL AND OLD.max_bookings_per_week IS NOT NULL))
BEGIN
  DELETE FROM freed_times WHERE source = 'hours'
    AND event_type_id IN (SELECT event_type_id FROM event_type_hosts WHERE member_id = NEW.id);
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, 'hours', 0, 8640000000000000 FROM event_type_hosts h
  WHERE h.member_id = NEW.id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
-- Days and weeks of members without a zone begin by the organization's.
CREATE TRIGGER organizations_free_zone AFTER UPDATE OF timezone ON organizations
WHEN OLD.timezone <> NEW.timezone
BEGIN
  DELETE FROM freed_times WHERE source = 'hours' AND event_type_id IN (
    SELECT h.event_type_id FROM members m JOIN event_type_hosts h ON h.member_id = m.id
    WHERE m.organization_id = NEW.id AND m.timezone IS NULL
      AND (m.max_bookings_per_day IS NOT NULL OR m.max_bookings_per_week IS NOT NULL));
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT DISTINCT h.event_type_id, 'hours', 0, 8640000000000000 FROM members m JOIN event_type_hosts h ON h.member_id = m.id
  WHERE m.organization_id = NEW.id AND m.timezone IS NULL
    AND (m.max_bookings_per_day IS NOT NULL OR m.max_bookings_per_week IS NOT NULL)
    AND EXISTS (SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
-- Where a member takes so many a day or a week, one less makes room in the whole of it: eight days to either side are more.
CREATE TRIGGER holds_free_limit AFTER DELETE ON holds
WHEN OLD.kept_by = '' AND OLD.meets_at IS NOT NULL AND EXISTS (SELECT 1 FROM members
  WHERE id = substr(OLD.resource_id, 1, 36) AND (max_bookings_per_day IS NOT NULL OR max_bookings_per_week IS NOT NULL))
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, 'limit/' || OLD.holder_id, OLD.meets_at - 192 * 3600 * 1000, OLD.meets_at + 192 * 3600 * 1000
  FROM event_type_hosts h
  WHERE h.resource_id = OLD.resource_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
END;
