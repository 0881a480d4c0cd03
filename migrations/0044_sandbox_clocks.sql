DROP INDEX `bookings_reminders`;--> statement-breakpoint
DROP INDEX `bookings_reminders_sandbox`;--> statement-breakpoint
CREATE INDEX `bookings_reminders` ON `bookings` (`is_test`,`next_reminder_at`,`id`) WHERE next_reminder_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_reminders_sandbox` ON `bookings` (`organization_id`,`is_test`,`next_reminder_at`) WHERE is_test = 1 AND next_reminder_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `payments_unpaid`;--> statement-breakpoint
CREATE INDEX `payments_unpaid_sandbox` ON `payments` (`organization_id`,`is_test`,`expires_at`,`id`) WHERE is_test = 1 AND status IN ('pending', 'failed');--> statement-breakpoint
CREATE INDEX `payments_unpaid` ON `payments` (`is_test`,`expires_at`,`id`) WHERE status IN ('pending', 'failed');--> statement-breakpoint
DROP INDEX `slot_holds_due`;--> statement-breakpoint
DROP INDEX `slot_holds_undecided`;--> statement-breakpoint
CREATE INDEX `slot_holds_due_sandbox` ON `slot_holds` (`organization_id`,`is_test`,`expires_at`) WHERE is_test = 1 AND purpose = 'hold' AND status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_undecided_sandbox` ON `slot_holds` (`organization_id`,`is_test`,`expires_at`,`id`) WHERE is_test = 1 AND purpose = 'approval' AND status IN ('held', 'expired');--> statement-breakpoint
CREATE INDEX `slot_holds_due` ON `slot_holds` (`is_test`,`expires_at`,`id`) WHERE status = 'held';--> statement-breakpoint
CREATE INDEX `slot_holds_undecided` ON `slot_holds` (`is_test`,`expires_at`,`id`) WHERE purpose = 'approval' AND status IN ('held', 'expired');--> statement-breakpoint
DROP INDEX `waitlist_entries_expiry`;--> statement-breakpoint
CREATE INDEX `waitlist_entries_expiry_sandbox` ON `waitlist_entries` (`organization_id`,`is_test`,`expires_at`) WHERE is_test = 1 AND status = 'waiting';--> statement-breakpoint
CREATE INDEX `waitlist_entries_expiry` ON `waitlist_entries` (`is_test`,`expires_at`,`id`) WHERE status = 'waiting';--> statement-breakpoint
ALTER TABLE `organizations` ADD `sandbox_due_at` integer;--> statement-breakpoint
CREATE INDEX `organizations_sandbox_due` ON `organizations` (`sandbox_due_at`,`id`) WHERE sandbox_due_at IS NOT NULL;--> statement-breakpoint
UPDATE organizations SET sandbox_due_at = (SELECT min(due) FROM (
  SELECT min(next_reminder_at) AS due FROM bookings
    WHERE organization_id = organizations.id AND is_test = 1 AND next_reminder_at IS NOT NULL
  UNION ALL SELECT min(expires_at) FROM waitlist_entries
    WHERE organization_id = organizations.id AND is_test = 1 AND status = 'waiting'
  UNION ALL SELECT min(expires_at) FROM slot_holds
    WHERE organization_id = organizations.id AND is_test = 1 AND purpose = 'approval' AND status IN ('held', 'expired')
  UNION ALL SELECT min(expires_at) FROM slot_holds
    WHERE organization_id = organizations.id AND is_test = 1 AND purpose = 'hold' AND status = 'held'
  UNION ALL SELECT min(expires_at) FROM payments
    WHERE organization_id = organizations.id AND is_test = 1 AND status IN ('pending', 'failed')))
WHERE sandbox_now IS NULL;
--> statement-breakpoint
-- When something of a sandbox is due. One that gets a clock of its own is left to it; without one it is looked through at once.
CREATE TRIGGER organizations_due_clock AFTER UPDATE OF sandbox_now ON organizations
BEGIN
  UPDATE organizations SET sandbox_due_at = CASE WHEN NEW.sandbox_now IS NULL THEN 0 END WHERE id = NEW.id;
END;
--> statement-breakpoint
-- An import brings the organization last. What its export told, if at all, may be older than what else is in it.
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
