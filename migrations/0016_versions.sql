-- What decides which starts of an event type are open has a version, in two parts: one of the event type itself, and
-- one that all event types of its organization share, live and test apart. Triggers move it on in the very commit
-- that changes anything it stands for, so whoever decided on an older version can tell.
ALTER TABLE `event_types` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `live_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `test_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- A booking counts and moves the version on in one row.
DROP TRIGGER bookings_count_insert;--> statement-breakpoint
CREATE TRIGGER bookings_count_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings + 1, version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
DROP TRIGGER bookings_count_cancel;--> statement-breakpoint
CREATE TRIGGER bookings_count_cancel AFTER UPDATE OF status ON bookings
WHEN OLD.status <> 'cancelled' AND NEW.status = 'cancelled'
BEGIN
  UPDATE event_types SET active_bookings = active_bookings - 1, version = version + 1 WHERE id = NEW.event_type_id;
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
-- The time of a host or a calendar is taken from every event type that they have a say in.
CREATE TRIGGER bookings_share_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled' AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL)
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_share_change AFTER UPDATE OF status, start_time, end_time, session_id, assigned_host_id ON bookings
WHEN OLD.status <> 'cancelled'
  AND coalesce(OLD.assigned_host_id, NEW.assigned_host_id, OLD.calendar_connection_id, NEW.calendar_connection_id) IS NOT NULL
  AND (NEW.status = 'cancelled' OR OLD.start_time <> NEW.start_time OR OLD.end_time <> NEW.end_time
    OR OLD.session_id IS NOT NEW.session_id OR OLD.assigned_host_id IS NOT NEW.assigned_host_id)
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_share_delete AFTER DELETE ON bookings
WHEN OLD.status <> 'cancelled' AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL)
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
-- Any other change of an event type; its hours are replaced together with its row.
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
CREATE TRIGGER event_type_hosts_version_change AFTER UPDATE OF member_id, resource_id, priority, weight ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = NEW.event_type_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_version_delete AFTER DELETE ON event_type_hosts
BEGIN
  UPDATE event_types SET version = version + 1 WHERE id = OLD.event_type_id;
END;
--> statement-breakpoint
-- Freed time is offered to nobody else while somebody waits for it.
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
CREATE TRIGGER organizations_version AFTER UPDATE OF tier, suspended_at, owner_user_id, default_calendar_connection_id,
  bookings_per_network_hour, pending_per_network, active_per_email, waiting_per_email ON organizations
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
CREATE TRIGGER organizations_version_clock AFTER UPDATE OF sandbox_now ON organizations
BEGIN
  UPDATE organizations SET test_version = test_version + 1 WHERE id = NEW.id;
END;
--> statement-breakpoint
-- The plan's month: only its end, and what is given back, decide anything. Between them the count may be older.
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
-- Whatever changes what a calendar blocks also says when that was learnt, in the same commit.
CREATE TRIGGER calendar_connections_version_insert AFTER INSERT ON calendar_connections
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendar_connections_version_change AFTER UPDATE OF member_id, calendar_id, timezone, credentials,
  provider_metadata, status, last_sync_at ON calendar_connections
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
