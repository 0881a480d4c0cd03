ALTER TABLE `event_types` ADD `default_schedule_id` text;--> statement-breakpoint
CREATE INDEX `event_types_default_schedule` ON `event_types` (`default_schedule_id`) WHERE default_schedule_id <> '';--> statement-breakpoint
CREATE UNIQUE INDEX `schedules_organization_default` ON `schedules` (`organization_id`,`is_test`) WHERE is_default = 1 AND member_id IS NULL;
--> statement-breakpoint
-- What was put on an event type itself stays its hours, whatever default there will be.
UPDATE event_types SET default_schedule_id = '' WHERE id IN (
  SELECT event_type_id FROM availability_rules UNION SELECT event_type_id FROM availability_overrides);
--> statement-breakpoint
CREATE TRIGGER event_types_default_schedule AFTER INSERT ON event_types
WHEN NEW.default_schedule_id IS NULL AND EXISTS (SELECT 1 FROM schedules WHERE organization_id = NEW.organization_id
  AND is_test = NEW.is_test AND is_default = 1 AND member_id IS NULL)
BEGIN
  UPDATE event_types SET default_schedule_id = (SELECT id FROM schedules WHERE organization_id = NEW.organization_id
    AND is_test = NEW.is_test AND is_default = 1 AND member_id IS NULL) WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_default_insert AFTER INSERT ON schedules
WHEN NEW.is_default AND NEW.member_id IS NULL
BEGIN
  UPDATE event_types SET default_schedule_id = NEW.id WHERE organization_id = NEW.organization_id
    AND is_test = NEW.is_test AND default_schedule_id IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_default_change AFTER UPDATE OF is_default, member_id ON schedules
WHEN (NEW.is_default AND NEW.member_id IS NULL) <> (OLD.is_default AND OLD.member_id IS NULL)
BEGIN
  UPDATE event_types SET default_schedule_id = NULL WHERE default_schedule_id = NEW.id;
  UPDATE event_types SET default_schedule_id = NEW.id WHERE NEW.is_default AND NEW.member_id IS NULL
    AND organization_id = NEW.organization_id AND is_test = NEW.is_test AND default_schedule_id IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_default_delete AFTER DELETE ON schedules
WHEN OLD.is_default AND OLD.member_id IS NULL
BEGIN
  UPDATE event_types SET default_schedule_id = NULL WHERE default_schedule_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_types_free_default AFTER UPDATE OF default_schedule_id ON event_types
WHEN NEW.default_schedule_id <> '' AND NEW.default_schedule_id IS NOT OLD.default_schedule_id AND NEW.schedule_id IS NULL
  AND EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = NEW.id AND status = 'waiting')
BEGIN
  DELETE FROM freed_times WHERE source = 'hours' AND event_type_id = NEW.id;
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at) VALUES (NEW.id, 'hours', 0, 8640000000000000);
END;
--> statement-breakpoint
DROP VIEW schedule_event_types;
--> statement-breakpoint
CREATE VIEW schedule_event_types AS
SELECT schedule_id, id AS event_type_id FROM event_types WHERE schedule_id IS NOT NULL
UNION ALL SELECT default_schedule_id, id FROM event_types WHERE default_schedule_id <> '' AND schedule_id IS NULL
UNION ALL SELECT schedule_id, event_type_id FROM event_type_hosts WHERE schedule_id IS NOT NULL
UNION ALL SELECT s.id, h.event_type_id
  FROM schedules s JOIN event_type_hosts h ON h.member_id = s.member_id AND h.schedule_id IS NULL
  JOIN event_types e ON e.id = h.event_type_id AND e.is_test = s.is_test
UNION ALL SELECT room.schedule_id, required.event_type_id
  FROM resources room JOIN event_type_rooms required ON required.resource_id = room.id
  WHERE room.schedule_id IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER event_types_listing_change;
--> statement-breakpoint
CREATE TRIGGER event_types_listing_change AFTER UPDATE OF title, slug, description, duration_minutes, color, price_amount,
  price_currency, conferencing_provider, location, group_name, position, active, booking_page_enabled, listed,
  requires_approval, deleted_at ON event_types
WHEN NOT NEW.is_test
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = NEW.organization_id;
END;
