ALTER TABLE `event_types` ADD `hosts_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `event_type_hosts_mark` ON `event_type_hosts` (`event_type_id`,substr(member_id, -8));
--> statement-breakpoint
DROP TRIGGER event_type_hosts_version_insert;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_insert AFTER INSERT ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
DROP TRIGGER event_type_hosts_version_delete;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_delete AFTER DELETE ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
DROP TRIGGER event_type_hosts_version_change;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_change
AFTER UPDATE OF member_id, resource_id, priority, weight, schedule_id ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1, hosts_version = hosts_version + 1 WHERE id = NEW.event_type_id;
END;
