CREATE TRIGGER sessions_end AFTER UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken <= 0
BEGIN
  DELETE FROM holds WHERE holder_id = OLD.id;
  DELETE FROM sessions WHERE id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_take_seats AFTER INSERT ON slot_holds
WHEN NEW.session_id IS NOT NULL AND NEW.purpose = 'hold'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + NEW.seats WHERE id = NEW.session_id;
  UPDATE holds SET expires_at = max(expires_at, NEW.expires_at) WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_take_seats AFTER INSERT ON bookings
WHEN NEW.session_id IS NOT NULL AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
    - coalesce((SELECT seats FROM slot_holds WHERE booking_id = NEW.id AND session_id = NEW.session_id AND purpose = 'hold'), 0)
  WHERE id = NEW.session_id;
  UPDATE holds SET expires_at = NULL WHERE holder_id = NEW.session_id AND expires_at IS NOT NULL;
END;
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
CREATE TRIGGER slot_holds_end_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  DELETE FROM holds WHERE holder_id = CASE OLD.purpose WHEN 'hold' THEN OLD.id ELSE OLD.booking_id END
    AND (OLD.purpose = 'hold' OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = OLD.booking_id));
  UPDATE sessions SET seats_taken = seats_taken - OLD.seats WHERE id = OLD.session_id AND OLD.purpose = 'hold';
END;
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
CREATE TRIGGER bookings_end_wait AFTER UPDATE OF status ON bookings
WHEN OLD.status = 'pending_payment' AND NEW.status NOT IN ('pending_payment', 'cancelled')
BEGIN
  UPDATE slot_holds SET status = 'confirmed', updated_at = NEW.updated_at
  WHERE booking_id = NEW.id AND purpose = 'payment';
END;
--> statement-breakpoint
CREATE TRIGGER payments_hold AFTER UPDATE OF status ON payments
WHEN (OLD.status = 'processing') <> (NEW.status = 'processing') AND NEW.status IN ('pending', 'processing', 'failed')
BEGIN
  UPDATE slot_holds SET expires_at = CASE NEW.status WHEN 'processing' THEN 8640000000000000 ELSE NEW.expires_at END
  WHERE id = NEW.id AND status = 'held';
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_confirm AFTER UPDATE OF status ON slot_holds
WHEN OLD.status = 'held' AND NEW.status = 'confirmed'
BEGIN
  UPDATE holds SET holder_id = NEW.booking_id, expires_at = NULL
  WHERE holder_id = CASE NEW.purpose WHEN 'hold' THEN OLD.id ELSE NEW.booking_id END
    AND (NEW.purpose = 'hold' OR NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.booking_id));
  UPDATE holds SET expires_at = CASE WHEN EXISTS (
    SELECT 1 FROM bookings b WHERE b.session_id = NEW.session_id AND b.status <> 'cancelled'
      AND (b.status NOT IN ('pending_approval', 'pending_payment') OR NOT EXISTS (
        SELECT 1 FROM slot_holds w WHERE w.booking_id = b.id AND w.purpose <> 'hold' AND w.status IN ('held', 'expired')))
    ) THEN NULL ELSE (SELECT max(expires_at) FROM slot_holds WHERE session_id = NEW.session_id AND status = 'held') END
  WHERE holder_id = NEW.session_id AND NEW.purpose <> 'hold';
END;
