DROP INDEX `slot_holds_event_type`;--> statement-breakpoint
CREATE INDEX `slot_holds_test` ON `slot_holds` (`event_type_id`) WHERE is_test = 1;--> statement-breakpoint
CREATE INDEX `slot_holds_event_type` ON `slot_holds` (`event_type_id`,`expires_at`) WHERE status = 'held' OR (status = 'expired' AND purpose <> 'hold');
--> statement-breakpoint
-- What changes the places that a cap has left, beside the bookings that it counts: a hold takes one until its deadline, and a
-- booking that waited gives its own back from its deadline on, also while nobody has written down how it ended.
CREATE VIEW cap_changes AS
SELECT event_type_id, start_time, CASE purpose WHEN 'hold' THEN 1 ELSE -1 END AS places,
  CASE WHEN purpose = 'hold' OR status = 'expired' THEN 0 ELSE expires_at END AS since,
  CASE purpose WHEN 'hold' THEN expires_at ELSE 8640000000000001 END AS until
FROM slot_holds WHERE status = 'held' OR (status = 'expired' AND purpose <> 'hold');
--> statement-breakpoint
-- The seats of requests that were over and not cancelled yet: from now on they go when these are over.
UPDATE sessions SET seats_taken = seats_taken - (SELECT coalesce(sum(w.seats), 0) FROM slot_holds w
  JOIN bookings b ON b.id = w.booking_id AND b.status = 'pending_approval'
  WHERE b.session_id = sessions.id AND w.purpose = 'approval' AND w.status = 'expired')
WHERE id IN (SELECT b.session_id FROM slot_holds w JOIN bookings b ON b.id = w.booking_id AND b.status = 'pending_approval'
  WHERE w.purpose = 'approval' AND w.status = 'expired');
--> statement-breakpoint
-- A booking that waits holds its time no longer than it waits. A session in which everybody waits has the last deadline.
DROP TRIGGER slot_holds_limit_insert;
--> statement-breakpoint
CREATE TRIGGER slot_holds_limit_insert AFTER INSERT ON slot_holds
WHEN NEW.purpose <> 'hold' AND NEW.status = 'held'
BEGIN
  UPDATE holds SET expires_at = NEW.expires_at
  WHERE holder_id = NEW.booking_id AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.booking_id);
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = NEW.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = NEW.session_id AND status = 'held') END
  WHERE holder_id = NEW.session_id;
END;
--> statement-breakpoint
DROP TRIGGER slot_holds_limit_change;
--> statement-breakpoint
CREATE TRIGGER slot_holds_limit_change AFTER UPDATE OF expires_at ON slot_holds
WHEN NEW.status = 'held'
BEGIN
  UPDATE holds SET expires_at = NEW.expires_at
  WHERE holder_id = CASE NEW.purpose WHEN 'hold' THEN NEW.id ELSE NEW.booking_id END
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.booking_id);
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = NEW.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = NEW.session_id AND status = 'held') END
  WHERE holder_id = NEW.session_id AND NEW.purpose <> 'hold';
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = OLD.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = OLD.session_id AND status = 'held') END
  WHERE holder_id = OLD.session_id AND NEW.purpose <> 'hold' AND OLD.session_id IS NOT NEW.session_id;
END;
--> statement-breakpoint
-- What becomes a booking, or waits no longer, is held without a deadline.
DROP TRIGGER slot_holds_confirm;
--> statement-breakpoint
CREATE TRIGGER slot_holds_confirm AFTER UPDATE OF status ON slot_holds
WHEN OLD.status = 'held' AND NEW.status = 'confirmed'
BEGIN
  UPDATE holds SET holder_id = NEW.booking_id, expires_at = NULL
  WHERE holder_id = CASE NEW.purpose WHEN 'hold' THEN OLD.id ELSE NEW.booking_id END;
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = NEW.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = NEW.session_id AND status = 'held') END
  WHERE holder_id = NEW.session_id AND NEW.purpose <> 'hold';
END;
--> statement-breakpoint
-- What is released or over gives back its time, its seats and its place in the cap. A booking that is cancelled gives its
-- seats back by itself, unless it was over before.
DROP TRIGGER slot_holds_end;
--> statement-breakpoint
CREATE TRIGGER slot_holds_end AFTER UPDATE OF status ON slot_holds
WHEN OLD.status = 'held' AND NEW.status IN ('released', 'expired')
BEGIN
  DELETE FROM holds WHERE holder_id = CASE OLD.purpose WHEN 'hold' THEN OLD.id ELSE OLD.booking_id END
    AND (OLD.purpose = 'hold' OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = OLD.booking_id));
  UPDATE sessions SET seats_taken = seats_taken - OLD.seats
  WHERE id = CASE OLD.purpose WHEN 'hold' THEN OLD.session_id ELSE (SELECT session_id FROM bookings WHERE id = OLD.booking_id AND status <> 'cancelled') END
    AND (OLD.purpose = 'hold' OR NEW.status = 'expired');
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = OLD.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = OLD.session_id AND status = 'held') END
  WHERE holder_id = OLD.session_id AND expires_at IS NOT NULL;
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT id, coalesce(OLD.booking_id, OLD.id), 0, 8640000000000000 FROM event_types
  WHERE id = OLD.event_type_id AND booking_cap IS NOT NULL AND (OLD.purpose = 'hold' OR NEW.status = 'expired')
    AND EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
DROP TRIGGER slot_holds_end_delete;
--> statement-breakpoint
CREATE TRIGGER slot_holds_end_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  DELETE FROM holds WHERE holder_id = CASE OLD.purpose WHEN 'hold' THEN OLD.id ELSE OLD.booking_id END
    AND (OLD.purpose = 'hold' OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = OLD.booking_id));
  UPDATE sessions SET seats_taken = seats_taken - OLD.seats WHERE id = OLD.session_id AND OLD.purpose = 'hold';
END;
--> statement-breakpoint
-- The same as before; the seats of a booking that was over went then, and with them maybe its session. How long it waited
-- is written down with its end, whoever cancels it.
DROP TRIGGER bookings_change_seats;
--> statement-breakpoint
CREATE TRIGGER bookings_change_seats AFTER UPDATE OF status, session_id ON bookings
WHEN OLD.session_id IS NOT NEW.session_id OR (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
BEGIN
  SELECT RAISE(ABORT, 'STALE')
  WHERE NEW.session_id IS NOT NULL AND NEW.status <> 'cancelled'
    AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
  WHERE id = NEW.session_id AND NEW.status <> 'cancelled';
  UPDATE holds SET expires_at = NULL
  WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL AND NEW.status <> 'cancelled';
  UPDATE sessions SET seats_taken = seats_taken - json_array_length(OLD.attendees)
  WHERE id = OLD.session_id AND OLD.status <> 'cancelled' AND NOT EXISTS (
    SELECT 1 FROM slot_holds WHERE booking_id = OLD.id AND purpose <> 'hold' AND status = 'expired');
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = OLD.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = OLD.session_id AND status = 'held') END
  WHERE holder_id = OLD.session_id AND expires_at IS NULL;
  UPDATE slot_holds SET status = 'released', updated_at = NEW.updated_at
  WHERE booking_id = NEW.id AND purpose <> 'hold' AND status IN ('held', 'expired') AND NEW.status = 'cancelled';
END;
--> statement-breakpoint
-- A booking that was paid waits no longer. One whose time was up before somebody else came cannot be had any more.
CREATE TRIGGER bookings_end_wait AFTER UPDATE OF status ON bookings
WHEN OLD.status = 'pending_payment' AND NEW.status NOT IN ('pending_payment', 'cancelled')
BEGIN
  UPDATE slot_holds SET status = 'confirmed', updated_at = NEW.updated_at
  WHERE booking_id = NEW.id AND purpose = 'payment';
END;
--> statement-breakpoint
-- Whoever pays by a method that takes days keeps the time until it is known how that ended.
CREATE TRIGGER payments_hold AFTER UPDATE OF status ON payments
WHEN (OLD.status = 'processing') <> (NEW.status = 'processing') AND NEW.status IN ('pending', 'processing', 'failed')
BEGIN
  UPDATE slot_holds SET expires_at = CASE NEW.status WHEN 'processing' THEN 8640000000000000 ELSE NEW.expires_at END
  WHERE id = NEW.id AND status = 'held';
END;
