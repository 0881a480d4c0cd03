CREATE TRIGGER organizations_due_clock AFTER UPDATE OF sandbox_now ON organizations
BEGIN
  UPDATE organizations SET sandbox_due_at = CASE WHEN NEW.sandbox_now IS NULL THEN 0 END WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_due_insert AFTER INSERT ON organizations
WHEN NEW.sandbox_now IS NULL
  AND EXISTS (SELECT 1 FROM event_types WHERE organization_id = NEW.id AND is_test = 1)
BEGIN
  UPDATE organizations SET sandbox_due_at = 0 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_due_insert AFTER INSERT ON bookings
WHEN NEW.is_test = 1 AND NEW.next_reminder_at IS NOT NULL
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.next_reminder_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.next_reminder_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER bookings_due_change AFTER UPDATE OF next_reminder_at ON bookings
WHEN NEW.is_test = 1 AND NEW.next_reminder_at IS NOT NULL
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.next_reminder_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.next_reminder_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER waitlist_entries_due_insert AFTER INSERT ON waitlist_entries
WHEN NEW.is_test = 1 AND NEW.status = 'waiting'
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.expires_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.expires_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_due_insert AFTER INSERT ON slot_holds
WHEN NEW.is_test = 1 AND NEW.purpose <> 'payment' AND NEW.status IN ('held', 'expired')
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.expires_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.expires_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_due_change AFTER UPDATE OF expires_at ON slot_holds
WHEN NEW.is_test = 1 AND NEW.purpose <> 'payment' AND NEW.status IN ('held', 'expired')
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.expires_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.expires_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER payments_due_insert AFTER INSERT ON payments
WHEN NEW.is_test = 1 AND NEW.status IN ('pending', 'failed')
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.expires_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.expires_at, 1);
END;
--> statement-breakpoint
CREATE TRIGGER payments_due_change AFTER UPDATE OF status, expires_at ON payments
WHEN NEW.is_test = 1 AND NEW.status IN ('pending', 'failed')
BEGIN
  UPDATE organizations SET sandbox_due_at = NEW.expires_at WHERE id = NEW.organization_id
    AND sandbox_now IS NULL AND coalesce(sandbox_due_at > NEW.expires_at, 1);
END;
