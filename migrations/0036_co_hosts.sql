ALTER TABLE `bookings` ADD `co_hosts` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `co_hosts` text;--> statement-breakpoint
ALTER TABLE `slot_holds` ADD `co_hosts` text;--> statement-breakpoint
CREATE INDEX `event_type_hosts_required` ON `event_type_hosts` (`event_type_id`) WHERE part = 'required';--> statement-breakpoint
-- Bookings that hold several hosts say whom.
UPDATE bookings SET co_hosts = (
  SELECT nullif(json_group_array(json_object('member_id', m.id, 'user_id', m.user_id, 'email', m.user_email, 'name', m.name)
    ORDER BY host.priority, host.created_at, host.id), '[]')
  FROM holds h JOIN members m ON m.id = substr(h.resource_id, 1, 36)
  LEFT JOIN event_type_hosts host ON host.event_type_id = bookings.event_type_id AND host.member_id = m.id
  WHERE h.holder_id = coalesce(bookings.session_id, bookings.id) AND h.kept_by = '' AND m.id IS NOT bookings.assigned_host_id)
WHERE status <> 'cancelled' AND event_type_id IN (
  SELECT id FROM event_types WHERE assignment_strategy = 'none' OR many_hosts);
--> statement-breakpoint
UPDATE sessions SET co_hosts = (
  SELECT b.co_hosts FROM bookings b WHERE b.session_id = sessions.id AND b.status <> 'cancelled' LIMIT 1);
--> statement-breakpoint
UPDATE slot_holds SET co_hosts = (
  SELECT nullif(json_group_array(json_object('member_id', m.id, 'user_id', m.user_id, 'email', m.user_email, 'name', m.name)
    ORDER BY host.priority, host.created_at, host.id), '[]')
  FROM holds h JOIN members m ON m.id = substr(h.resource_id, 1, 36)
  LEFT JOIN event_type_hosts host ON host.event_type_id = slot_holds.event_type_id AND host.member_id = m.id
  WHERE h.holder_id = coalesce(slot_holds.session_id, slot_holds.booking_id, slot_holds.id) AND h.kept_by = ''
    AND m.id IS NOT slot_holds.assigned_host_id)
WHERE status = 'held' AND event_type_id IN (SELECT id FROM event_types WHERE assignment_strategy = 'none' OR many_hosts);
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
CREATE TRIGGER bookings_share_change AFTER UPDATE OF status, start_time, end_time, session_id, assigned_host_id, co_hosts ON bookings
WHEN OLD.status <> 'cancelled'
  AND (coalesce(OLD.assigned_host_id, NEW.assigned_host_id, OLD.calendar_connection_id, NEW.calendar_connection_id) IS NOT NULL OR OLD.needs_host
    OR EXISTS (SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
  AND (NEW.status = 'cancelled' OR OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
    OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id
    OR OLD.co_hosts IS NOT NEW.co_hosts)
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT substr(OLD.assigned_host_id, -8) || printf('%08d', OLD.start_time / 3600000) AS mark WHERE OLD.assigned_host_id IS NOT NULL
      UNION SELECT substr(NEW.assigned_host_id, -8) || printf('%08d', NEW.start_time / 3600000) WHERE NEW.assigned_host_id IS NOT NULL
      UNION SELECT substr(value ->> 'member_id', -8) || hour FROM (
        SELECT OLD.co_hosts AS hosts, printf('%08d', OLD.start_time / 3600000) AS hour UNION ALL SELECT NEW.co_hosts, printf('%08d', NEW.start_time / 3600000)),
        json_each(hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || hour FROM (
        SELECT OLD.co_hosts AS hosts, printf('%08d', OLD.start_time / 3600000) AS hour UNION ALL SELECT NEW.co_hosts, printf('%08d', NEW.start_time / 3600000)),
        json_each(hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', NEW.start_time / 3600000) FROM json_each(NEW.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', OLD.start_time / 3600000) FROM json_each(OLD.co_hosts)
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
      UNION SELECT substr(value ->> 'member_id', -8) || printf('%08d', OLD.start_time / 3600000) FROM json_each(OLD.co_hosts)
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
DROP TRIGGER event_type_hosts_version_change;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_change
AFTER UPDATE OF member_id, resource_id, priority, weight, part, schedule_id ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
DROP TRIGGER event_types_many_hosts;
--> statement-breakpoint
CREATE TRIGGER event_types_many_hosts AFTER UPDATE OF assignment_strategy, pool_size ON event_types
WHEN NOT NEW.many_hosts
  AND (OLD.assignment_strategy = 'none' AND NEW.assignment_strategy <> 'none' OR OLD.pool_size > NEW.pool_size)
BEGIN
  UPDATE event_types SET many_hosts = 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
DROP TRIGGER bookings_version_move;
--> statement-breakpoint
CREATE TRIGGER bookings_version_move AFTER UPDATE OF start_time, end_time, session_id, assigned_host_id, co_hosts ON bookings
WHEN NEW.status <> 'cancelled' AND (
  OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
  OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id
  OR OLD.co_hosts IS NOT NEW.co_hosts)
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
