CREATE TABLE `event_type_rooms` (
	`event_type_id` text NOT NULL,
	`resource_id` text NOT NULL,
	PRIMARY KEY(`event_type_id`, `resource_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `event_type_rooms_resource` ON `event_type_rooms` (`resource_id`);--> statement-breakpoint
CREATE TABLE `resources` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`name` text NOT NULL,
	`kind` text NOT NULL,
	`quantity` integer NOT NULL,
	`schedule_id` text,
	`notes` text,
	`active` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `resources_organization` ON `resources` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `resources_schedule` ON `resources` (`schedule_id`) WHERE schedule_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `resources` text;--> statement-breakpoint
ALTER TABLE `slot_holds` ADD `resources` text;--> statement-breakpoint
CREATE INDEX `calendar_connections_resource` ON `calendar_connections` (`resource_id`) WHERE resource_id IS NOT NULL;
--> statement-breakpoint
-- The units of what an event type requires: a room has as many as its quantity, and each is held as a host is.
CREATE VIEW event_type_units AS
SELECT required.event_type_id AS event_type_id, required.resource_id || '#' || unit.value AS resource_id
FROM event_type_rooms required JOIN resources ON resources.id = required.resource_id
JOIN json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50]') unit ON unit.value <= resources.quantity;
--> statement-breakpoint
CREATE TRIGGER event_types_rooms_insert AFTER INSERT ON event_types
WHEN NEW.requires <> '[]' AND NEW.deleted_at IS NULL
BEGIN
  INSERT INTO event_type_rooms (event_type_id, resource_id)
  SELECT DISTINCT NEW.id, resource.value FROM json_each(NEW.requires) required, json_each(required.value, '$.resource_ids') resource;
END;
--> statement-breakpoint
CREATE TRIGGER event_types_rooms_change AFTER UPDATE OF requires, deleted_at ON event_types
WHEN OLD.requires <> NEW.requires OR (NEW.requires <> '[]' AND OLD.deleted_at IS NOT NEW.deleted_at)
BEGIN
  DELETE FROM event_type_rooms WHERE event_type_id = NEW.id;
  INSERT INTO event_type_rooms (event_type_id, resource_id)
  SELECT DISTINCT NEW.id, resource.value FROM json_each(NEW.requires) required, json_each(required.value, '$.resource_ids') resource
  WHERE NEW.deleted_at IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER event_types_rooms_delete AFTER DELETE ON event_types
WHEN OLD.requires <> '[]'
BEGIN
  DELETE FROM event_type_rooms WHERE event_type_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_share_unit_insert AFTER INSERT ON holds
WHEN substr(NEW.resource_id, 37, 1) = '#'
BEGIN
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr(substr(NEW.resource_id, 29, 8) || printf('%08d', coalesce(NEW.meets_at, NEW.starts_at) / (3600 * 1000)) || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(NEW.resource_id, 1, 36) AND NOT is_test);
  UPDATE organizations SET test_version = test_version + 1, test_changes = (test_version + 1) || '/'
    || substr(substr(NEW.resource_id, 29, 8) || printf('%08d', coalesce(NEW.meets_at, NEW.starts_at) / (3600 * 1000)) || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(NEW.resource_id, 1, 36) AND is_test);
END;
--> statement-breakpoint
CREATE TRIGGER holds_share_unit_change AFTER UPDATE OF expires_at ON holds
WHEN substr(NEW.resource_id, 37, 1) = '#' AND OLD.expires_at IS NOT NEW.expires_at
BEGIN
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr(substr(NEW.resource_id, 29, 8) || printf('%08d', coalesce(NEW.meets_at, NEW.starts_at) / (3600 * 1000)) || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(NEW.resource_id, 1, 36) AND NOT is_test);
  UPDATE organizations SET test_version = test_version + 1, test_changes = (test_version + 1) || '/'
    || substr(substr(NEW.resource_id, 29, 8) || printf('%08d', coalesce(NEW.meets_at, NEW.starts_at) / (3600 * 1000)) || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(NEW.resource_id, 1, 36) AND is_test);
END;
--> statement-breakpoint
CREATE TRIGGER holds_share_unit_delete AFTER DELETE ON holds
WHEN substr(OLD.resource_id, 37, 1) = '#'
BEGIN
  UPDATE organizations SET live_version = live_version + 1, live_changes = (live_version + 1) || '/'
    || substr(substr(OLD.resource_id, 29, 8) || printf('%08d', coalesce(OLD.meets_at, OLD.starts_at) / (3600 * 1000)) || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(OLD.resource_id, 1, 36) AND NOT is_test);
  UPDATE organizations SET test_version = test_version + 1, test_changes = (test_version + 1) || '/'
    || substr(substr(OLD.resource_id, 29, 8) || printf('%08d', coalesce(OLD.meets_at, OLD.starts_at) / (3600 * 1000)) || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = (SELECT organization_id FROM resources WHERE id = substr(OLD.resource_id, 1, 36) AND is_test);
END;
--> statement-breakpoint
CREATE TRIGGER holds_free_unit AFTER DELETE ON holds
WHEN substr(OLD.resource_id, 37, 1) = '#'
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT required.event_type_id, OLD.holder_id, OLD.starts_at, OLD.ends_at FROM event_type_rooms required
  WHERE required.resource_id = substr(OLD.resource_id, 1, 36) AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = required.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER resources_version_change AFTER UPDATE OF name, quantity, schedule_id, active ON resources
WHEN (OLD.name, OLD.quantity, OLD.schedule_id, OLD.active) IS NOT (NEW.name, NEW.quantity, NEW.schedule_id, NEW.active)
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + 1,
    live_changes = (live_version + 1) || '/'
    || substr(substr(NEW.id, -8) || '++++++++' || substr(live_changes, instr(live_changes, '/') + 1), 1, 1600)
  WHERE id = NEW.organization_id AND NOT NEW.is_test;
  UPDATE organizations SET hours_version = hours_version + 1, test_version = test_version + 1,
    test_changes = (test_version + 1) || '/'
    || substr(substr(NEW.id, -8) || '++++++++' || substr(test_changes, instr(test_changes, '/') + 1), 1, 1600)
  WHERE id = NEW.organization_id AND NEW.is_test;
END;
--> statement-breakpoint
CREATE TRIGGER resources_free_change AFTER UPDATE OF quantity, schedule_id, active ON resources
WHEN NEW.quantity > OLD.quantity OR OLD.schedule_id IS NOT NEW.schedule_id OR NEW.active > OLD.active
BEGIN
  DELETE FROM freed_times WHERE source = 'hours'
    AND event_type_id IN (SELECT event_type_id FROM event_type_rooms WHERE resource_id = NEW.id);
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT required.event_type_id, 'hours', 0, 8640000000000000 FROM event_type_rooms required
  WHERE required.resource_id = NEW.id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = required.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER time_off_free_room_change AFTER UPDATE OF starts_at, ends_at ON time_off
WHEN OLD.resource_id IS NOT NULL AND (NEW.starts_at > OLD.starts_at OR NEW.ends_at < OLD.ends_at)
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT required.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at FROM event_type_rooms required
  WHERE required.resource_id = OLD.resource_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = required.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER time_off_free_room_delete AFTER DELETE ON time_off
WHEN OLD.resource_id IS NOT NULL
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT required.event_type_id, OLD.id, OLD.starts_at, OLD.ends_at FROM event_type_rooms required
  WHERE required.resource_id = OLD.resource_id AND EXISTS (
    SELECT 1 FROM waitlist_entries w WHERE w.event_type_id = required.event_type_id AND w.status = 'waiting');
END;
--> statement-breakpoint
DROP VIEW schedule_event_types;
--> statement-breakpoint
CREATE VIEW schedule_event_types AS
SELECT schedule_id, id AS event_type_id FROM event_types WHERE schedule_id IS NOT NULL
UNION ALL SELECT schedule_id, event_type_id FROM event_type_hosts WHERE schedule_id IS NOT NULL
UNION ALL SELECT s.id, h.event_type_id
  FROM schedules s JOIN event_type_hosts h ON h.member_id = s.member_id AND h.schedule_id IS NULL
  JOIN event_types e ON e.id = h.event_type_id AND e.is_test = s.is_test
UNION ALL SELECT room.schedule_id, required.event_type_id
  FROM resources room JOIN event_type_rooms required ON required.resource_id = room.id
  WHERE room.schedule_id IS NOT NULL;
