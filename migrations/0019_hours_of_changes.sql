UPDATE organizations SET live_changes = '', test_changes = '';
--> statement-breakpoint
DROP TRIGGER bookings_share_insert;
--> statement-breakpoint
CREATE TRIGGER bookings_share_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled' AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(h.member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM event_types e JOIN event_type_hosts h ON h.event_type_id = e.id
      WHERE e.id = NEW.event_type_id AND e.assignment_strategy = 'none' AND NEW.assigned_host_id IS NOT NULL
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(h.member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM event_types e JOIN event_type_hosts h ON h.event_type_id = e.id
      WHERE e.id = NEW.event_type_id AND e.assignment_strategy = 'none' AND NEW.assigned_host_id IS NOT NULL
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER bookings_share_change;
--> statement-breakpoint
CREATE TRIGGER bookings_share_change AFTER UPDATE OF status, start_time, end_time, session_id, assigned_host_id ON bookings
WHEN OLD.status <> 'cancelled'
  AND (coalesce(OLD.assigned_host_id, NEW.assigned_host_id, OLD.calendar_connection_id, NEW.calendar_connection_id) IS NOT NULL
    OR EXISTS (SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
  AND (NEW.status = 'cancelled' OR OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
    OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id)
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT '****************' FROM event_types
      WHERE id = NEW.event_type_id AND assignment_strategy = 'none' AND OLD.assigned_host_id IS NOT NULL
      UNION SELECT coalesce((SELECT substr(id, -8) || hour FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      FROM (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000)) WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || hour FROM calendar_connections, (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000))
      WHERE id IN (organizations.default_calendar_connection_id, OLD.calendar_connection_id, NEW.calendar_connection_id)
        AND OLD.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT '****************' FROM event_types
      WHERE id = NEW.event_type_id AND assignment_strategy = 'none' AND OLD.assigned_host_id IS NOT NULL
      UNION SELECT coalesce((SELECT substr(id, -8) || hour FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      FROM (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000)) WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || hour FROM calendar_connections, (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000))
      WHERE id IN (organizations.default_calendar_connection_id, OLD.calendar_connection_id, NEW.calendar_connection_id)
        AND OLD.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER slot_holds_version_insert;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_insert AFTER INSERT ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
    AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
    AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER slot_holds_version_change;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_change AFTER UPDATE OF status, expires_at, seats ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
    AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) AS mark WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', NEW.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE NEW.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', NEW.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(NEW.calendar_connection_id, organizations.default_calendar_connection_id) AND NEW.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
    AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER slot_holds_version_delete;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', OLD.start_time / 3600000) FROM json_each(OLD.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', OLD.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', OLD.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(OLD.calendar_connection_id, organizations.default_calendar_connection_id) AND OLD.assigned_host_id IS NULL))
  WHERE id = OLD.organization_id AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test))
    AND NOT OLD.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(value, -8) || printf('%08d', OLD.start_time / 3600000) FROM json_each(OLD.credited_ids)
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', OLD.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', OLD.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(OLD.calendar_connection_id, organizations.default_calendar_connection_id) AND OLD.assigned_host_id IS NULL))
  WHERE id = OLD.organization_id AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test))
    AND OLD.is_test;
END;
--> statement-breakpoint
DROP TRIGGER calendar_connections_version_change;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_change AFTER UPDATE OF account_id, member_id, calendar_id, timezone, status,
  can_write, checks_busy, receives_bookings, lost_at, connected_at, last_sync_at ON calendar_connections
WHEN (OLD.account_id, OLD.member_id, OLD.calendar_id, OLD.timezone, OLD.status, OLD.can_write, OLD.checks_busy,
  OLD.receives_bookings, OLD.lost_at, OLD.connected_at, OLD.last_sync_at) IS NOT (NEW.account_id, NEW.member_id,
  NEW.calendar_id, NEW.timezone, NEW.status, NEW.can_write, NEW.checks_busy, NEW.receives_bookings, NEW.lost_at,
  NEW.connected_at, NEW.last_sync_at)
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT iif(OLD.member_id = NEW.member_id, substr(NEW.member_id, -8) || '--------', '****************') AS mark))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT iif(OLD.member_id = NEW.member_id, substr(NEW.member_id, -8) || '--------', '****************') AS mark))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_version_insert;
--> statement-breakpoint
CREATE TRIGGER time_off_version_insert AFTER INSERT ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '****************' ELSE substr(NEW.member_id, -8) || '--------' END AS mark))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '****************' ELSE substr(NEW.member_id, -8) || '--------' END AS mark))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_version_change;
--> statement-breakpoint
CREATE TRIGGER time_off_version_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '****************' ELSE substr(OLD.member_id, -8) || '--------' END AS mark UNION SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '****************' ELSE substr(NEW.member_id, -8) || '--------' END))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '****************' ELSE substr(OLD.member_id, -8) || '--------' END AS mark UNION SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '****************' ELSE substr(NEW.member_id, -8) || '--------' END))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_version_delete;
--> statement-breakpoint
CREATE TRIGGER time_off_version_delete AFTER DELETE ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '****************' ELSE substr(OLD.member_id, -8) || '--------' END AS mark))
  WHERE id = OLD.organization_id AND NOT OLD.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '****************' ELSE substr(OLD.member_id, -8) || '--------' END AS mark))
  WHERE id = OLD.organization_id AND OLD.is_test;
END;
--> statement-breakpoint
DROP TRIGGER booking_quotas_version_insert;
--> statement-breakpoint
CREATE TRIGGER booking_quotas_version_insert AFTER INSERT ON booking_quotas
WHEN NEW.bookings >= NEW.quota
BEGIN
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr('****************' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
DROP TRIGGER booking_quotas_version_change;
--> statement-breakpoint
CREATE TRIGGER booking_quotas_version_change AFTER UPDATE OF bookings, quota ON booking_quotas
WHEN NEW.bookings >= NEW.quota OR OLD.bookings >= OLD.quota OR NEW.bookings < OLD.bookings
BEGIN
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr('****************' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
DROP TRIGGER organizations_changes_live;
--> statement-breakpoint
CREATE TRIGGER organizations_changes_live AFTER UPDATE OF live_version ON organizations
WHEN NEW.live_version || '/' <> substr(NEW.live_changes, 1, instr(NEW.live_changes, '/'))
BEGIN
  UPDATE organizations SET live_changes = NEW.live_version || '/'
    || substr('****************' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER organizations_changes_test;
--> statement-breakpoint
CREATE TRIGGER organizations_changes_test AFTER UPDATE OF test_version ON organizations
WHEN NEW.test_version || '/' <> substr(NEW.test_changes, 1, instr(NEW.test_changes, '/'))
BEGIN
  UPDATE organizations SET test_changes = NEW.test_version || '/'
    || substr('****************' || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) WHERE id = NEW.id;
END;
