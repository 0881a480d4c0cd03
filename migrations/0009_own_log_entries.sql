ALTER TABLE `bookings` ADD `log_entry` text;--> statement-breakpoint
ALTER TABLE `booking_quotas` ADD `days` text;
--> statement-breakpoint
CREATE TRIGGER bookings_refuse_moving BEFORE INSERT ON bookings
WHEN NEW.log_entry ->> 'actor_type' <> 'system' AND EXISTS (SELECT 1 FROM moves WHERE organization_id = NEW.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MOVES');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_log_address AFTER INSERT ON bookings
WHEN NEW.log_entry ->> 'ip_address' IS NOT NULL
BEGIN
  INSERT INTO logged_addresses (organization_id, is_test, first_id) VALUES (NEW.organization_id, NEW.is_test, NEW.id)
  ON CONFLICT DO UPDATE SET first_id = excluded.first_id WHERE excluded.first_id < logged_addresses.first_id;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_insert;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_insert AFTER INSERT ON bookings
WHEN NEW.log_entry IS NULL OR NEW.status <> 'confirmed'
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, NEW.log_entry IS NULL, NEW.status = 'cancelled', NEW.status IN ('pending_approval', 'pending_payment'))
  ON CONFLICT DO UPDATE SET bookings = bookings + excluded.bookings, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_change;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_change AFTER UPDATE OF status ON bookings
WHEN (OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR (OLD.status IN ('pending_approval', 'pending_payment')) <> (NEW.status IN ('pending_approval', 'pending_payment'))
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, (NEW.status = 'cancelled') - (OLD.status = 'cancelled'),
    (NEW.status IN ('pending_approval', 'pending_payment')) - (OLD.status IN ('pending_approval', 'pending_payment')))
  ON CONFLICT DO UPDATE SET cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_attendance;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance AFTER UPDATE OF no_shows, host_absent ON bookings
WHEN OLD.no_shows <> NEW.no_shows OR OLD.host_absent <> NEW.host_absent
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, no_shows, host_absent)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, NEW.no_shows - OLD.no_shows, NEW.host_absent - OLD.host_absent)
  ON CONFLICT DO UPDATE SET no_shows = no_shows + excluded.no_shows, host_absent = host_absent + excluded.host_absent;
END;
--> statement-breakpoint
DROP TRIGGER bookings_usage_redate;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (OLD.organization_id, OLD.is_test, OLD.created_at / 86400000, -1, -(NEW.status = 'cancelled'), -(NEW.status IN ('pending_approval', 'pending_payment')))
  ON CONFLICT DO UPDATE SET bookings = bookings + excluded.bookings, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status IN ('pending_approval', 'pending_payment'))
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
