CREATE TRIGGER reminders_insert INSTEAD OF INSERT ON reminders
BEGIN
  UPDATE bookings
  SET reminder_minutes = json_insert(coalesce(reminder_minutes, '[]'), '$[#]', NEW.minutes_before),
    next_reminder_at = min(coalesce(next_reminder_at, NEW.due_at), NEW.due_at)
  WHERE id = NEW.booking_id;
END;
--> statement-breakpoint
CREATE TRIGGER reminders_delete INSTEAD OF DELETE ON reminders
BEGIN
  UPDATE bookings
  SET reminder_minutes = (SELECT json_group_array(value) FROM json_each(reminder_minutes) WHERE value <> OLD.minutes_before),
    next_reminder_at = (SELECT min(start_time - value * 60000) FROM json_each(reminder_minutes) WHERE value <> OLD.minutes_before)
  WHERE id = OLD.booking_id;
END;
