-- Hosts who were taken off an event type still hold time for it, and no list says who they are.
DROP TRIGGER bookings_share_change;
--> statement-breakpoint
CREATE TRIGGER bookings_share_change AFTER UPDATE OF status, start_time, end_time, session_id, assigned_host_id ON bookings
WHEN OLD.status <> 'cancelled'
  AND (coalesce(OLD.assigned_host_id, NEW.assigned_host_id, OLD.calendar_connection_id, NEW.calendar_connection_id) IS NOT NULL OR OLD.needs_host
    OR EXISTS (SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
  AND (NEW.status = 'cancelled' OR OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
    OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id)
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT '****************' FROM event_types WHERE id = NEW.event_type_id AND (assignment_strategy = 'none' OR many_hosts)
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
      UNION SELECT '****************' FROM event_types WHERE id = NEW.event_type_id AND (assignment_strategy = 'none' OR many_hosts)
      UNION SELECT coalesce((SELECT substr(id, -8) || hour FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      FROM (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000)) WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || hour FROM calendar_connections, (SELECT printf('%08d', OLD.start_time / 3600000) AS hour UNION SELECT printf('%08d', NEW.start_time / 3600000))
      WHERE id IN (organizations.default_calendar_connection_id, OLD.calendar_connection_id, NEW.calendar_connection_id)
        AND OLD.assigned_host_id IS NULL))
  WHERE id = NEW.organization_id AND NEW.is_test;
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
      UNION SELECT '****************' FROM event_types
      WHERE id = NEW.event_type_id AND (assignment_strategy = 'none' OR many_hosts) AND NEW.session_id IS NOT NULL
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
      UNION SELECT '****************' FROM event_types
      WHERE id = NEW.event_type_id AND (assignment_strategy = 'none' OR many_hosts) AND NEW.session_id IS NOT NULL
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
      UNION SELECT '****************' FROM event_types
      WHERE id = OLD.event_type_id AND (assignment_strategy = 'none' OR many_hosts) AND OLD.session_id IS NOT NULL
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
      UNION SELECT '****************' FROM event_types
      WHERE id = OLD.event_type_id AND (assignment_strategy = 'none' OR many_hosts) AND OLD.session_id IS NOT NULL
      UNION SELECT coalesce((SELECT substr(id, -8) || printf('%08d', OLD.start_time / 3600000) FROM members
        WHERE organization_id = organizations.id AND user_id = organizations.owner_user_id), '****************')
      WHERE OLD.assigned_host_id IS NULL
      UNION SELECT substr(member_id, -8) || printf('%08d', OLD.start_time / 3600000) FROM calendar_connections
      WHERE id = coalesce(OLD.calendar_connection_id, organizations.default_calendar_connection_id) AND OLD.assigned_host_id IS NULL))
  WHERE id = OLD.organization_id AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test))
    AND OLD.is_test;
END;
