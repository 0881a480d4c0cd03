ALTER TABLE `bookings` ADD `address_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `own_meeting_url` text;--> statement-breakpoint
CREATE TRIGGER bookings_keep_seats AFTER UPDATE OF attendees ON bookings
WHEN NEW.session_id IS NOT NULL AND NEW.session_id IS OLD.session_id AND OLD.status <> 'cancelled' AND NEW.status <> 'cancelled'
  AND json_array_length(NEW.attendees) <> json_array_length(OLD.attendees)
BEGIN
  UPDATE slot_holds SET seats = json_array_length(NEW.attendees)
  WHERE booking_id = NEW.id AND purpose <> 'hold' AND status = 'held';
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees) - json_array_length(OLD.attendees)
  WHERE id = NEW.session_id AND NOT EXISTS (
    SELECT 1 FROM slot_holds WHERE booking_id = NEW.id AND purpose <> 'hold' AND status = 'expired');
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
