-- A hold that overlaps another hold of its resource is refused, whoever inserts it. No hold is longer than
-- 12 hours, so both bounds of starts_at are known and the index range stays small however long the history is.
CREATE TRIGGER holds_refuse_overlap BEFORE INSERT ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_LENGTH')
  WHERE NEW.ends_at <= NEW.starts_at OR NEW.ends_at - NEW.starts_at > 43200000;
  SELECT RAISE(ABORT, 'SLOT_TAKEN')
  WHERE EXISTS (
    SELECT 1 FROM holds
    WHERE resource_id = NEW.resource_id
      AND starts_at > NEW.starts_at - 43200000
      AND starts_at < NEW.ends_at
      AND ends_at > NEW.starts_at
  );
END;
--> statement-breakpoint
-- A hold never moves: a reschedule deletes it and inserts another one, so that the fence above sees it.
CREATE TRIGGER holds_refuse_update BEFORE UPDATE ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_IMMUTABLE');
END;
--> statement-breakpoint
-- A cancelled booking holds nothing and stays cancelled.
CREATE TRIGGER bookings_refuse_revival BEFORE UPDATE OF status ON bookings
WHEN OLD.status = 'cancelled' AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_count_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_count_cancel AFTER UPDATE OF status ON bookings
WHEN OLD.status <> 'cancelled' AND NEW.status = 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings - 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
-- Inserting into `guard` does nothing but refuse: a batch puts here what must still be true when it commits.
CREATE VIEW guard AS SELECT '' AS fence, 0 AS refused;
--> statement-breakpoint
CREATE TRIGGER guard_refuses INSTEAD OF INSERT ON guard
WHEN NEW.refused
BEGIN
  SELECT RAISE(ABORT, 'CAP_REACHED') WHERE NEW.fence = 'CAP_REACHED';
  SELECT RAISE(ABORT, 'STALE');
END;
