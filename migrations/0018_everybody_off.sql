-- Time off of everybody names the organization in place of a member.
DROP TRIGGER time_off_version_insert;
--> statement-breakpoint
CREATE TRIGGER time_off_version_insert AFTER INSERT ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '********' ELSE substr(NEW.member_id, -8) END AS mark))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '********' ELSE substr(NEW.member_id, -8) END AS mark))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_version_change;
--> statement-breakpoint
CREATE TRIGGER time_off_version_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '********' ELSE substr(OLD.member_id, -8) END AS mark UNION SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '********' ELSE substr(NEW.member_id, -8) END))
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '********' ELSE substr(OLD.member_id, -8) END AS mark UNION SELECT CASE NEW.member_id WHEN NEW.organization_id THEN '********' ELSE substr(NEW.member_id, -8) END))
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_version_delete;
--> statement-breakpoint
CREATE TRIGGER time_off_version_delete AFTER DELETE ON time_off
BEGIN
  UPDATE organizations SET (hours_version, live_version, live_changes) = (
    SELECT hours_version + 1, live_version + count(*), (live_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(live_changes, instr(live_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '********' ELSE substr(OLD.member_id, -8) END AS mark))
  WHERE id = OLD.organization_id AND NOT OLD.is_test;
  UPDATE organizations SET (hours_version, test_version, test_changes) = (
    SELECT hours_version + 1, test_version + count(*), (test_version + count(*)) || ':'
      || substr(group_concat(mark, '') || substr(test_changes, instr(test_changes, ':') + 1), 1, 800) FROM (
      SELECT CASE OLD.member_id WHEN OLD.organization_id THEN '********' ELSE substr(OLD.member_id, -8) END AS mark))
  WHERE id = OLD.organization_id AND OLD.is_test;
END;
--> statement-breakpoint
DROP TRIGGER time_off_free_change;
--> statement-breakpoint
CREATE TRIGGER time_off_free_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
WHEN NEW.member_id <> OLD.member_id OR NEW.starts_at > OLD.starts_at OR NEW.ends_at < OLD.ends_at
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at
  FROM event_type_hosts h JOIN event_types e ON e.id = h.event_type_id AND e.is_test = OLD.is_test
  WHERE h.member_id = OLD.member_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT e.id, OLD.id, OLD.starts_at, OLD.ends_at FROM event_types e
  WHERE OLD.member_id = OLD.organization_id AND e.organization_id = OLD.organization_id AND e.is_test = OLD.is_test
    AND NOT EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id) AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = e.id AND w.status = 'waiting');
END;
--> statement-breakpoint
DROP TRIGGER time_off_free_delete;
--> statement-breakpoint
CREATE TRIGGER time_off_free_delete AFTER DELETE ON time_off
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT h.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at
  FROM event_type_hosts h JOIN event_types e ON e.id = h.event_type_id AND e.is_test = OLD.is_test
  WHERE h.member_id = OLD.member_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = h.event_type_id AND w.status = 'waiting');
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT e.id, OLD.id, OLD.starts_at, OLD.ends_at FROM event_types e
  WHERE OLD.member_id = OLD.organization_id AND e.organization_id = OLD.organization_id AND e.is_test = OLD.is_test
    AND NOT EXISTS (SELECT 1 FROM event_type_hosts h WHERE h.event_type_id = e.id) AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = e.id AND w.status = 'waiting');
END;
