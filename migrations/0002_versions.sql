CREATE TRIGGER event_types_version AFTER UPDATE ON event_types
WHEN NEW.version = OLD.version
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_insert AFTER INSERT ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_delete AFTER DELETE ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER freed_times_version_insert AFTER INSERT ON freed_times
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER freed_times_version_delete AFTER DELETE ON freed_times
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER waitlist_entries_version_insert AFTER INSERT ON waitlist_entries
WHEN EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = NEW.event_type_id)
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER waitlist_entries_version_change AFTER UPDATE OF status, start_time ON waitlist_entries
WHEN EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = NEW.event_type_id)
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER waitlist_entries_version_delete AFTER DELETE ON waitlist_entries
WHEN EXISTS (SELECT 1 FROM freed_times WHERE event_type_id = OLD.event_type_id)
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version_clock AFTER UPDATE OF sandbox_now ON organizations
BEGIN
  UPDATE organizations SET test_version = test_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER payment_accounts_version_insert AFTER INSERT ON payment_accounts
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER payment_accounts_version_change AFTER UPDATE OF account_id, charges_enabled, disconnected_at ON payment_accounts
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER payment_accounts_version_delete AFTER DELETE ON payment_accounts
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER members_version_change AFTER UPDATE OF user_id, user_email ON members
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER members_version_delete AFTER DELETE ON members
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_insert AFTER INSERT ON calendar_connections
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_delete AFTER DELETE ON calendar_connections
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_version_move AFTER UPDATE OF start_time, end_time, session_id, assigned_host_id ON bookings
WHEN NEW.status <> 'cancelled' AND (
  OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
  OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id)
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_version_delete AFTER DELETE ON bookings
WHEN OLD.status <> 'cancelled'
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER booking_quotas_version_insert AFTER INSERT ON booking_quotas
WHEN NEW.bookings >= NEW.quota
BEGIN
  UPDATE organizations SET live_version = live_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER booking_quotas_version_change AFTER UPDATE OF bookings, quota ON booking_quotas
WHEN NEW.bookings >= NEW.quota OR OLD.bookings >= OLD.quota OR NEW.bookings < OLD.bookings
BEGIN
  UPDATE organizations SET live_version = live_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_change AFTER UPDATE OF account_id, member_id, calendar_id, timezone, status,
  can_write, checks_busy, receives_bookings, lost_at, connected_at, last_sync_at ON calendar_connections
WHEN (OLD.account_id, OLD.member_id, OLD.calendar_id, OLD.timezone, OLD.status, OLD.can_write, OLD.checks_busy,
  OLD.receives_bookings, OLD.lost_at, OLD.connected_at, OLD.last_sync_at) IS NOT (NEW.account_id, NEW.member_id,
  NEW.calendar_id, NEW.timezone, NEW.status, NEW.can_write, NEW.checks_busy, NEW.receives_bookings, NEW.lost_at,
  NEW.connected_at, NEW.last_sync_at)
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_share_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled' AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_share_change AFTER UPDATE OF status, start_time, end_time, session_id, assigned_host_id ON bookings
WHEN OLD.status <> 'cancelled'
  AND (coalesce(OLD.assigned_host_id, NEW.assigned_host_id, OLD.calendar_connection_id, NEW.calendar_connection_id) IS NOT NULL
    OR EXISTS (SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
  AND (NEW.status = 'cancelled' OR OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
    OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id)
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_share_delete AFTER DELETE ON bookings
WHEN OLD.status <> 'cancelled' AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test))
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version_locale AFTER UPDATE OF locale ON organizations
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_change
AFTER UPDATE OF member_id, resource_id, priority, weight, schedule_id ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_version_insert AFTER INSERT ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_version_change AFTER UPDATE OF member_id, timezone, rules, overrides, is_default ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_version_delete AFTER DELETE ON schedules
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT OLD.is_test),
    test_version = test_version + OLD.is_test WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_insert AFTER INSERT ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_change AFTER UPDATE OF member_id, starts_at, ends_at ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT NEW.is_test),
    test_version = test_version + NEW.is_test WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER time_off_version_delete AFTER DELETE ON time_off
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + (NOT OLD.is_test),
    test_version = test_version + OLD.is_test WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER members_version_limits AFTER UPDATE OF timezone, max_bookings_per_day, max_bookings_per_week ON members
WHEN OLD.timezone IS NOT NEW.timezone OR OLD.max_bookings_per_day IS NOT NEW.max_bookings_per_day
  OR OLD.max_bookings_per_week IS NOT NEW.max_bookings_per_week
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + 1, test_version = test_version + 1
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version_zone AFTER UPDATE OF timezone ON organizations
WHEN OLD.timezone <> NEW.timezone
BEGIN
  UPDATE organizations SET hours_version = hours_version + 1, live_version = live_version + 1, test_version = test_version + 1
  WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_insert AFTER INSERT ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test));
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_change AFTER UPDATE OF status, expires_at, seats ON slot_holds
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test));
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_version_delete AFTER DELETE ON slot_holds
WHEN OLD.status = 'held'
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
    SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test));
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version AFTER UPDATE OF tier, suspended_at, owner_user_id, default_calendar_connection_id,
  bookings_per_network_hour, pending_per_network, active_per_email, waiting_per_email, attendees_per_booking ON organizations
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.id;
END;
