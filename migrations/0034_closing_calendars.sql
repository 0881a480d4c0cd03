CREATE INDEX `calendar_connections_everybody` ON `calendar_connections` (`organization_id`,`is_test`) WHERE everybody;--> statement-breakpoint
CREATE INDEX `calendar_connections_closing` ON `calendar_connections` (`id`) WHERE everybody;--> statement-breakpoint
DROP TRIGGER calendar_connections_version_change;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_change AFTER UPDATE OF account_id, member_id, calendar_id, timezone, status,
  can_write, checks_busy, receives_bookings, lost_at, connected_at, last_sync_at, everybody ON calendar_connections
WHEN (OLD.account_id, OLD.member_id, OLD.calendar_id, OLD.timezone, OLD.status, OLD.can_write, OLD.checks_busy,
  OLD.receives_bookings, OLD.lost_at, OLD.connected_at, OLD.last_sync_at, OLD.everybody) IS NOT (NEW.account_id, NEW.member_id,
  NEW.calendar_id, NEW.timezone, NEW.status, NEW.can_write, NEW.checks_busy, NEW.receives_bookings, NEW.lost_at,
  NEW.connected_at, NEW.last_sync_at, NEW.everybody)
BEGIN
  UPDATE organizations SET (live_version, live_changes) = (
    SELECT live_version + count(*), (live_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600) FROM (
      SELECT iif(OLD.member_id = NEW.member_id AND OLD.everybody = NEW.everybody,
        substr(NEW.member_id, -8) || '--------', '****************') AS mark))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (test_version, test_changes) = (
    SELECT test_version + count(*), (test_version + count(*)) || '/'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600) FROM (
      SELECT iif(OLD.member_id = NEW.member_id AND OLD.everybody = NEW.everybody,
        substr(NEW.member_id, -8) || '--------', '****************') AS mark))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP VIEW event_type_calendars;
--> statement-breakpoint
-- A calendar of everybody is checked for all event types, and takes no bookings.
CREATE VIEW event_type_calendars AS
SELECT hosting.event_type_id AS event_type_id, calendar.id AS calendar_id
FROM event_type_hosts hosting
JOIN event_types type ON type.id = hosting.event_type_id
JOIN calendar_connections calendar ON calendar.member_id = hosting.member_id AND calendar.is_test = type.is_test
  AND NOT calendar.everybody
UNION ALL
SELECT type.id, calendar.id
FROM event_types type
JOIN organizations ON organizations.id = type.organization_id
JOIN calendar_connections calendar
  ON calendar.organization_id = type.organization_id AND calendar.is_test = type.is_test
  AND NOT calendar.everybody
WHERE NOT EXISTS (SELECT 1 FROM event_type_hosts hosting WHERE hosting.event_type_id = type.id)
  AND (calendar.id = organizations.default_calendar_connection_id OR EXISTS (
    SELECT 1 FROM members
    WHERE members.id = calendar.member_id AND members.organization_id = organizations.id
      AND members.user_id = organizations.owner_user_id));
