-- False for the bookings of the Worker before, which counts them for all hosts with a statement of its own.
ALTER TABLE `bookings` ADD `counts_for_all` integer DEFAULT false NOT NULL;
--> statement-breakpoint
DROP TRIGGER bookings_count_insert;
--> statement-breakpoint
CREATE TRIGGER bookings_count_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings + 1, version = version + 1,
    collective_bookings = collective_bookings + NEW.counts_for_all,
    collective_booked_at = iif(NEW.counts_for_all, NEW.created_at, collective_booked_at)
  WHERE id = NEW.event_type_id;
END;
