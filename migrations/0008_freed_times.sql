CREATE TABLE `freed_times` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`event_type_id` text NOT NULL,
	`source` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `freed_times_event_type` ON `freed_times` (`event_type_id`,`id`);--> statement-breakpoint
-- Who waits for the time of a resource: its event type, or those that it hosts. What an event type keeps of a host
-- who left begins with its id, which has 36 characters.
CREATE TRIGGER holds_free AFTER DELETE ON holds
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT concerned.id, OLD.holder_id, OLD.starts_at, OLD.ends_at
  FROM (
    SELECT substr(OLD.resource_id, 1, 36) AS id
    UNION SELECT event_type_id FROM event_type_hosts WHERE resource_id = OLD.resource_id
  ) concerned
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = concerned.id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER sessions_free AFTER UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken < OLD.seats_taken
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT OLD.event_type_id, OLD.id, OLD.start_time, OLD.end_time
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
-- Room in a cap is room at any time. A total one has none to give while it is not full.
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
-- What hosts who left before now still hold for an event type.
INSERT INTO holds (resource_id, starts_at, ends_at, holder_id)
SELECT meeting.event_type_id || '/' || holds.resource_id, holds.starts_at, holds.ends_at, holds.holder_id
FROM (
  SELECT id, event_type_id FROM bookings WHERE status <> 'cancelled' AND session_id IS NULL
  UNION ALL SELECT id, event_type_id FROM sessions
) meeting
JOIN holds ON holds.holder_id = meeting.id AND holds.resource_id <> meeting.event_type_id
WHERE NOT EXISTS (
  SELECT 1 FROM event_type_hosts
  WHERE event_type_hosts.event_type_id = meeting.event_type_id AND event_type_hosts.resource_id = holds.resource_id
);
