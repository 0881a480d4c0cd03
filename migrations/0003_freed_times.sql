CREATE TRIGGER sessions_free AFTER UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken < OLD.seats_taken
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT OLD.event_type_id, OLD.id, OLD.start_time, OLD.end_time
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_free AFTER UPDATE OF status, start_time ON bookings
WHEN (OLD.status <> 'cancelled' AND NEW.status = 'cancelled') OR OLD.start_time <> NEW.start_time
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT id, OLD.id, 0, 8640000000000000 FROM event_types
  WHERE id = OLD.event_type_id AND booking_cap IS NOT NULL
    AND (booking_cap_period <> 'total' OR (NEW.status = 'cancelled' AND active_bookings >= booking_cap - 1))
    AND EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER holds_free AFTER DELETE ON holds
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT concerned.id, OLD.holder_id, OLD.starts_at, OLD.ends_at
  FROM (
    SELECT CASE OLD.kept_by WHEN '' THEN OLD.resource_id ELSE OLD.kept_by END AS id
    UNION SELECT event_type_id FROM event_type_resources WHERE resource_id = OLD.resource_id AND OLD.kept_by = ''
  ) concerned
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = concerned.id AND status = 'waiting');
END;
--> statement-breakpoint
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
