-- Who becomes or stops being a host takes or leaves holds, which other event types with this host offer or not.
DROP TRIGGER event_type_hosts_version_insert;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_insert AFTER INSERT ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr(substr(NEW.member_id, -8) || '++++++++' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM event_types WHERE id = NEW.event_type_id AND NOT is_test);
  UPDATE organizations SET test_version = test_version + 1, test_changes = (test_version + 1) || '/'
    || substr(substr(NEW.member_id, -8) || '++++++++' || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM event_types WHERE id = NEW.event_type_id AND is_test);
END;
--> statement-breakpoint
DROP TRIGGER event_type_hosts_version_delete;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_delete AFTER DELETE ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = OLD.event_type_id;
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr(substr(OLD.member_id, -8) || '++++++++' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM event_types WHERE id = OLD.event_type_id AND NOT is_test);
  UPDATE organizations SET test_version = test_version + 1, test_changes = (test_version + 1) || '/'
    || substr(substr(OLD.member_id, -8) || '++++++++' || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM event_types WHERE id = OLD.event_type_id AND is_test);
END;
