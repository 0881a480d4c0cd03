-- A session may be named after the booking that it began with, which has left it. Its time is not that booking's, and keeps its
-- deadline when that one waits no longer.
DROP TRIGGER slot_holds_confirm;
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
