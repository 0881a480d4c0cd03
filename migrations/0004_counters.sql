CREATE TRIGGER webhook_deliveries_usage_insert AFTER INSERT ON webhook_deliveries
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, deliveries, arrived, given_up)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'success', NEW.status IN ('failed', 'retried'))
  ON CONFLICT DO UPDATE SET deliveries = deliveries + 1, arrived = arrived + excluded.arrived, given_up = given_up + excluded.given_up;
END;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_usage_change AFTER UPDATE OF status ON webhook_deliveries
WHEN (OLD.status = 'success') <> (NEW.status = 'success')
  OR (OLD.status IN ('failed', 'retried')) <> (NEW.status IN ('failed', 'retried'))
BEGIN
  UPDATE usage_days
  SET arrived = arrived + (NEW.status = 'success') - (OLD.status = 'success'),
    given_up = given_up + (NEW.status IN ('failed', 'retried')) - (OLD.status IN ('failed', 'retried'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_count_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings + 1, version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_count_cancel AFTER UPDATE OF status ON bookings
WHEN OLD.status <> 'cancelled' AND NEW.status = 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings - 1, version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER activity_logs_address AFTER INSERT ON activity
WHEN NEW.ip_address IS NOT NULL
BEGIN
  INSERT INTO logged_addresses (organization_id, is_test, first_id) VALUES (NEW.organization_id, NEW.is_test, NEW.id)
  ON CONFLICT DO UPDATE SET first_id = excluded.first_id WHERE excluded.first_id < logged_addresses.first_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_keep_sequence AFTER DELETE ON events
WHEN NOT EXISTS (
  SELECT 1 FROM events WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND sequence > OLD.sequence)
BEGIN
  INSERT INTO event_sequences (organization_id, is_test, last) VALUES (OLD.organization_id, OLD.is_test, OLD.sequence)
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last);
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_insert AFTER INSERT ON payments
BEGIN
  INSERT INTO payment_sums (organization_id, is_test, currency, payments, revenue, fees, refunded, lost, pending)
  VALUES (NEW.organization_id, NEW.is_test, NEW.currency, 1, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * NEW.amount,
    (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - NEW.refunded_fee),
    NEW.refunded_amount, NEW.lost_amount, (NEW.status IN ('pending', 'processing')))
  ON CONFLICT DO UPDATE SET payments = payments + 1, revenue = revenue + excluded.revenue, fees = fees + excluded.fees,
    refunded = refunded + excluded.refunded, lost = lost + excluded.lost, pending = pending + excluded.pending;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_change AFTER UPDATE OF status, refunded_amount, refunded_fee, lost_amount ON payments
WHEN OLD.status <> NEW.status OR OLD.refunded_amount <> NEW.refunded_amount OR OLD.refunded_fee <> NEW.refunded_fee
  OR OLD.lost_amount <> NEW.lost_amount
BEGIN
  UPDATE payment_sums SET
    revenue = revenue + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * NEW.amount
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees + (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.platform_fee - NEW.refunded_fee)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - OLD.refunded_fee),
    refunded = refunded + NEW.refunded_amount - OLD.refunded_amount, lost = lost + NEW.lost_amount - OLD.lost_amount,
    pending = pending + (NEW.status IN ('pending', 'processing')) - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND currency = NEW.currency;
END;
--> statement-breakpoint
CREATE TRIGGER payments_sum_delete AFTER DELETE ON payments
BEGIN
  UPDATE payment_sums SET payments = payments - 1,
    revenue = revenue - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * OLD.amount,
    fees = fees - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.platform_fee - OLD.refunded_fee),
    refunded = refunded - OLD.refunded_amount, lost = lost - OLD.lost_amount, pending = pending - (OLD.status IN ('pending', 'processing'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency;
  DELETE FROM payment_sums
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND currency = OLD.currency AND payments = 0;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance AFTER UPDATE OF no_shows, host_absent ON bookings
WHEN OLD.no_shows <> NEW.no_shows OR OLD.host_absent <> NEW.host_absent
BEGIN
  UPDATE usage_days
  SET no_shows = no_shows + NEW.no_shows - OLD.no_shows, host_absent = host_absent + NEW.host_absent - OLD.host_absent
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000 AND (NEW.no_shows > 0 OR NEW.host_absent)
BEGIN
  UPDATE usage_days SET no_shows = no_shows - NEW.no_shows, host_absent = host_absent - NEW.host_absent
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
  INSERT INTO usage_days (organization_id, is_test, day, no_shows, host_absent)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, NEW.no_shows, NEW.host_absent)
  ON CONFLICT DO UPDATE SET no_shows = no_shows + excluded.no_shows, host_absent = host_absent + excluded.host_absent;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance_delete AFTER DELETE ON bookings
WHEN OLD.no_shows > 0 OR OLD.host_absent
BEGIN
  UPDATE usage_days SET no_shows = no_shows - OLD.no_shows, host_absent = host_absent - OLD.host_absent
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_insert AFTER INSERT ON bookings
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status IN ('pending_approval', 'pending_payment'))
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
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
CREATE TRIGGER bookings_usage_delete AFTER DELETE ON bookings
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (OLD.status = 'cancelled'), unpaid = unpaid - (OLD.status IN ('pending_approval', 'pending_payment'))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_notice_plan AFTER UPDATE OF tier ON organizations
WHEN NEW.tier <> OLD.tier
BEGIN
  UPDATE booking_quotas SET notice_at = NEW.updated_at
  WHERE organization_id = NEW.id AND month = strftime('%Y-%m', NEW.updated_at / 1000, 'unixepoch');
END;
