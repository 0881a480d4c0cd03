ALTER TABLE `event_types` ADD `requires_approval` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `approval_ttl_minutes` integer DEFAULT 1440 NOT NULL;--> statement-breakpoint
CREATE INDEX `slot_holds_undecided` ON `slot_holds` (`expires_at`,`id`) WHERE purpose = 'approval' AND status IN ('held', 'expired');
--> statement-breakpoint
-- What waited for a decision may be over before somebody writes down how it ended.
DROP TRIGGER slot_holds_refuse_revival;
--> statement-breakpoint
CREATE TRIGGER slot_holds_refuse_revival BEFORE UPDATE OF status ON slot_holds
WHEN OLD.status <> NEW.status AND (NEW.status = 'held' OR OLD.status IN ('confirmed', 'released')
  OR (OLD.status = 'expired' AND NEW.status <> CASE OLD.purpose WHEN 'hold' THEN 'confirmed' ELSE 'released' END))
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
-- What waits for an approval is as uncertain as what waits for a payment.
DROP TRIGGER bookings_usage_insert;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_insert AFTER INSERT ON bookings
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status IN ('pending_approval', 'pending_payment'))
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_change;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_change AFTER UPDATE OF status ON bookings
WHEN (OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR (OLD.status IN ('pending_approval', 'pending_payment')) <> (NEW.status IN ('pending_approval', 'pending_payment'))
BEGIN
  UPDATE usage_days
  SET cancelled = cancelled + (NEW.status = 'cancelled') - (OLD.status = 'cancelled'),
    unpaid = unpaid + (NEW.status IN ('pending_approval', 'pending_payment')) - (OLD.status IN ('pending_approval', 'pending_payment'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_redate;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (NEW.status = 'cancelled'), unpaid = unpaid - (NEW.status IN ('pending_approval', 'pending_payment'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status IN ('pending_approval', 'pending_payment'))
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_delete;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_delete AFTER DELETE ON bookings
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (OLD.status = 'cancelled'), unpaid = unpaid - (OLD.status IN ('pending_approval', 'pending_payment'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
END;
