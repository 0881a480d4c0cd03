-- Holds of one resource do not overlap, so of those that begin before the end of a new one the last to begin is also the last
-- to end. It alone is read: all of the twelve hours before were, and a full day cost more than an empty one.
DROP TRIGGER holds_refuse_overlap;
--> statement-breakpoint
CREATE TRIGGER holds_refuse_overlap BEFORE INSERT ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_LENGTH')
  WHERE NEW.ends_at <= NEW.starts_at OR NEW.ends_at - NEW.starts_at > 43200000;
  SELECT RAISE(ABORT, 'SLOT_TAKEN')
  WHERE NEW.starts_at < (
    SELECT ends_at FROM holds
    WHERE resource_id = NEW.resource_id AND kept_by = NEW.kept_by AND starts_at < NEW.ends_at
    ORDER BY starts_at DESC LIMIT 1
  );
END;
