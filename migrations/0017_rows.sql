-- Each written row costs, and so does each entry in an index. A table whose key is a text keeps its rows in one tree and
-- the key in another; without row ids the rows are kept by their key, in one. SQLite changes no table to that, so each is
-- made anew with what it holds, and with its indexes and triggers as they were.
-- A booking knows which of its reminders are still to come, so that they need no rows of their own: how many minutes
-- before its start each of them is due, and when the next one is.
DROP TRIGGER payments_tell_booking;--> statement-breakpoint
CREATE TABLE `bookings_in_one_tree` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`event_type_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`status` text NOT NULL,
	`start_time` integer NOT NULL,
	`end_time` integer NOT NULL,
	`invitee_name` text NOT NULL,
	`invitee_email` text NOT NULL,
	`invitee_timezone` text NOT NULL,
	`notes` text,
	`metadata` text NOT NULL,
	`attendees` text NOT NULL,
	`assigned_host_id` text,
	`conferencing_url` text,
	`location` text,
	`cancelled_at` integer,
	`cancel_reason` text,
	`rescheduled_at` integer,
	`previous_start_time` integer,
	`revision` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`assigned_host` text,
	`session_id` text,
	`calendar_connection_id` text,
	`calendar_event_id` text,
	`busy_as_of` integer,
	`sync_error` text,
	`payment` text,
	`network_mark` text,
	`address_mark` text,
	`invitee_moves` text,
	`is_keyless` integer DEFAULT 1 NOT NULL,
	`reminder_minutes` text,
	`next_reminder_at` integer,
	PRIMARY KEY(`id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `bookings_in_one_tree` (`id`, `organization_id`, `event_type_id`, `is_test`, `status`, `start_time`, `end_time`, `invitee_name`, `invitee_email`, `invitee_timezone`, `notes`, `metadata`, `attendees`, `assigned_host_id`, `conferencing_url`, `location`, `cancelled_at`, `cancel_reason`, `rescheduled_at`, `previous_start_time`, `revision`, `created_at`, `updated_at`, `assigned_host`, `session_id`, `calendar_connection_id`, `calendar_event_id`, `busy_as_of`, `sync_error`, `payment`, `network_mark`, `address_mark`, `invitee_moves`, `is_keyless`, `reminder_minutes`, `next_reminder_at`)
SELECT `id`, `organization_id`, `event_type_id`, `is_test`, `status`, `start_time`, `end_time`, `invitee_name`, `invitee_email`, `invitee_timezone`, `notes`, `metadata`, `attendees`, `assigned_host_id`, `conferencing_url`, `location`, `cancelled_at`, `cancel_reason`, `rescheduled_at`, `previous_start_time`, `revision`, `created_at`, `updated_at`, `assigned_host`, `session_id`, `calendar_connection_id`, `calendar_event_id`, `busy_as_of`, `sync_error`, `payment`, `network_mark`, `address_mark`, `invitee_moves`, `is_keyless`,
  (SELECT json_group_array(minutes_before) FROM reminders WHERE booking_id = bookings.id HAVING count(*) > 0),
  (SELECT min(due_at) FROM reminders WHERE booking_id = bookings.id)
FROM `bookings`;--> statement-breakpoint
DROP TABLE `bookings`;--> statement-breakpoint
ALTER TABLE `bookings_in_one_tree` RENAME TO `bookings`;--> statement-breakpoint
CREATE INDEX `bookings_invitee` ON `bookings` (`organization_id`,`is_test`,lower(invitee_email),`id`);--> statement-breakpoint
CREATE INDEX `bookings_session` ON `bookings` (`session_id`) WHERE session_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_calendar` ON `bookings` (`calendar_connection_id`,`start_time`,`status`) WHERE calendar_connection_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_pending_network` ON `bookings` (`organization_id`,`is_test`,`network_mark`) WHERE status = 'pending_payment' AND network_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_active_address` ON `bookings` (`event_type_id`,`address_mark`,`start_time`) WHERE status <> 'cancelled' AND address_mark IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_status` ON `bookings` (`organization_id`,`is_test`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_event_type` ON `bookings` (`event_type_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_host` ON `bookings` (`assigned_host_id`,`is_test`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_host_event_type` ON `bookings` (`assigned_host_id`,`event_type_id`,`status`,`id`) WHERE assigned_host_id IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_event_type_start` ON `bookings` (`event_type_id`,`start_time`,`status`,`assigned_host_id`);--> statement-breakpoint
CREATE TRIGGER bookings_refuse_revival BEFORE UPDATE OF status ON bookings
WHEN OLD.status = 'cancelled' AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_take_seats AFTER INSERT ON bookings
WHEN NEW.session_id IS NOT NULL AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE') WHERE NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees) WHERE id = NEW.session_id;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_change_seats AFTER UPDATE OF status, session_id ON bookings
WHEN OLD.session_id IS NOT NEW.session_id OR (OLD.status <> 'cancelled' AND NEW.status = 'cancelled')
BEGIN
  SELECT RAISE(ABORT, 'STALE')
  WHERE NEW.session_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = NEW.session_id);
  UPDATE sessions SET seats_taken = seats_taken + json_array_length(NEW.attendees)
  WHERE id = NEW.session_id AND NEW.status <> 'cancelled';
  UPDATE sessions SET seats_taken = seats_taken - json_array_length(OLD.attendees)
  WHERE id = OLD.session_id AND OLD.status <> 'cancelled';
END;
--> statement-breakpoint
CREATE TRIGGER bookings_call_for_new AFTER INSERT ON bookings
WHEN NEW.status IN ('confirmed', 'rescheduled')
BEGIN
  INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, updated_at)
  SELECT coalesce(NEW.session_id, NEW.id), c.id, NEW.organization_id,
    coalesce(NEW.session_id, NEW.id) || '@holdfast', e.conferencing_provider IS c.provider || '_meet', 'pending', 0
  FROM calendar_connections c JOIN event_types e ON e.id = NEW.event_type_id
  WHERE c.id = NEW.calendar_connection_id
  ON CONFLICT DO NOTHING;
  UPDATE calendar_writes
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id = coalesce(NEW.session_id, NEW.id);
  INSERT INTO meetings (holder_id, organization_id, is_test, provider, status, updated_at)
  SELECT coalesce(NEW.session_id, NEW.id), NEW.organization_id, NEW.is_test, e.conferencing_provider, 'pending', 0
  FROM event_types e
  WHERE e.id = NEW.event_type_id AND e.conferencing_provider = 'video_a' AND (NEW.is_test OR EXISTS (
    SELECT 1 FROM conferencing_connections c
    WHERE c.organization_id = NEW.organization_id AND c.is_test = 0 AND c.provider = e.conferencing_provider
  ))
  ON CONFLICT DO NOTHING;
  UPDATE meetings
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id = coalesce(NEW.session_id, NEW.id);
END;
--> statement-breakpoint
CREATE TRIGGER bookings_call_for_changed
AFTER UPDATE OF status, start_time, end_time, session_id, calendar_connection_id ON bookings
WHEN (NEW.status IN ('confirmed', 'rescheduled') OR OLD.status IN ('confirmed', 'rescheduled')) AND (
  NEW.status IS NOT OLD.status OR NEW.start_time IS NOT OLD.start_time OR NEW.end_time IS NOT OLD.end_time
  OR NEW.session_id IS NOT OLD.session_id OR NEW.calendar_connection_id IS NOT OLD.calendar_connection_id
)
BEGIN
  INSERT INTO calendar_writes (holder_id, connection_id, organization_id, uid, wants_meeting, status, updated_at)
  SELECT coalesce(NEW.session_id, NEW.id), c.id, NEW.organization_id,
    coalesce(NEW.session_id, NEW.id) || '@holdfast', e.conferencing_provider IS c.provider || '_meet', 'pending', 0
  FROM calendar_connections c JOIN event_types e ON e.id = NEW.event_type_id
  WHERE c.id = NEW.calendar_connection_id AND NEW.status <> 'cancelled'
  ON CONFLICT DO NOTHING;
  UPDATE calendar_writes
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id IN (coalesce(OLD.session_id, OLD.id), coalesce(NEW.session_id, NEW.id));
  INSERT INTO meetings (holder_id, organization_id, is_test, provider, status, updated_at)
  SELECT coalesce(NEW.session_id, NEW.id), NEW.organization_id, NEW.is_test, e.conferencing_provider, 'pending', 0
  FROM event_types e
  WHERE e.id = NEW.event_type_id AND e.conferencing_provider = 'video_a' AND NEW.status <> 'cancelled'
    AND (NEW.is_test OR EXISTS (
      SELECT 1 FROM conferencing_connections c
      WHERE c.organization_id = NEW.organization_id AND c.is_test = 0 AND c.provider = e.conferencing_provider
    ))
  ON CONFLICT DO NOTHING;
  UPDATE meetings
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id IN (coalesce(OLD.session_id, OLD.id), coalesce(NEW.session_id, NEW.id));
END;
--> statement-breakpoint
CREATE TRIGGER bookings_call_for_linked AFTER UPDATE OF conferencing_url ON bookings
WHEN NEW.conferencing_url IS NOT OLD.conferencing_url AND NEW.conferencing_url IS NOT NULL
BEGIN
  UPDATE calendar_writes
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id = coalesce(NEW.session_id, NEW.id) AND meeting_url IS NOT NEW.conferencing_url;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_call_for_nothing AFTER DELETE ON bookings
BEGIN
  DELETE FROM calendar_writes WHERE holder_id IN (OLD.id, OLD.session_id);
  DELETE FROM meetings WHERE holder_id IN (OLD.id, OLD.session_id);
END;
--> statement-breakpoint
CREATE TRIGGER bookings_free AFTER UPDATE OF status, start_time ON bookings
WHEN (OLD.status <> 'cancelled' AND NEW.status = 'cancelled') OR OLD.start_time <> NEW.start_time
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT id, OLD.id, 0, 8640000000000000 FROM event_types
  WHERE id = OLD.event_type_id AND booking_cap IS NOT NULL
    AND (booking_cap_period <> 'total' OR (NEW.status = 'cancelled' AND active_bookings >= booking_cap - 1))
    AND EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = OLD.event_type_id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_insert AFTER INSERT ON bookings
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status = 'pending_payment')
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_change AFTER UPDATE OF status ON bookings
WHEN (OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR (OLD.status = 'pending_payment') <> (NEW.status = 'pending_payment')
BEGIN
  UPDATE usage_days
  SET cancelled = cancelled + (NEW.status = 'cancelled') - (OLD.status = 'cancelled'),
    unpaid = unpaid + (NEW.status = 'pending_payment') - (OLD.status = 'pending_payment')
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (NEW.status = 'cancelled'), unpaid = unpaid - (NEW.status = 'pending_payment')
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
  INSERT INTO usage_days (organization_id, is_test, day, bookings, cancelled, unpaid)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'cancelled', NEW.status = 'pending_payment')
  ON CONFLICT DO UPDATE SET bookings = bookings + 1, cancelled = cancelled + excluded.cancelled, unpaid = unpaid + excluded.unpaid;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_delete AFTER DELETE ON bookings
BEGIN
  UPDATE usage_days
  SET bookings = bookings - 1, cancelled = cancelled - (OLD.status = 'cancelled'), unpaid = unpaid - (OLD.status = 'pending_payment')
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
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
CREATE TRIGGER payments_tell_booking AFTER UPDATE OF status ON payments
WHEN OLD.status <> NEW.status
BEGIN
  UPDATE bookings SET payment = json_set(payment, '$.status', NEW.status) WHERE id = NEW.booking_id;
END;
--> statement-breakpoint
CREATE INDEX `bookings_reminders` ON `bookings` (`next_reminder_at`,`id`) WHERE next_reminder_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_reminders_sandbox` ON `bookings` (`organization_id`,`next_reminder_at`) WHERE is_test = 1 AND next_reminder_at IS NOT NULL;--> statement-breakpoint
DROP TABLE `reminders`;--> statement-breakpoint
-- A Worker of the version before still runs for a moment after this: what it writes there arrives at the booking.
CREATE VIEW reminders AS
SELECT bookings.id AS booking_id, minutes.value AS minutes_before, bookings.organization_id AS organization_id,
  bookings.is_test AS is_test, bookings.start_time - minutes.value * 60000 AS due_at
FROM bookings JOIN json_each(bookings.reminder_minutes) minutes
WHERE bookings.next_reminder_at IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER reminders_insert INSTEAD OF INSERT ON reminders
BEGIN
  UPDATE bookings
  SET reminder_minutes = json_insert(coalesce(reminder_minutes, '[]'), '$[#]', NEW.minutes_before),
    next_reminder_at = min(coalesce(next_reminder_at, NEW.due_at), NEW.due_at)
  WHERE id = NEW.booking_id;
END;
--> statement-breakpoint
CREATE TRIGGER reminders_delete INSTEAD OF DELETE ON reminders
BEGIN
  UPDATE bookings
  SET reminder_minutes = (SELECT json_group_array(value) FROM json_each(reminder_minutes) WHERE value <> OLD.minutes_before),
    next_reminder_at = (SELECT min(start_time - value * 60000) FROM json_each(reminder_minutes) WHERE value <> OLD.minutes_before)
  WHERE id = OLD.booking_id;
END;
--> statement-breakpoint
DROP TRIGGER sessions_end;--> statement-breakpoint
CREATE TABLE `holds_in_one_tree` (
	`resource_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`holder_id` text NOT NULL,
	`kept_by` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`resource_id`, `kept_by`, `starts_at`)
) WITHOUT ROWID;--> statement-breakpoint
-- What an event type keeps of a host who left was held under a name made of both, longer than any id.
INSERT INTO `holds_in_one_tree` (`resource_id`, `starts_at`, `ends_at`, `holder_id`, `kept_by`)
SELECT CASE WHEN length(`resource_id`) > 72 THEN substr(`resource_id`, 38) ELSE `resource_id` END,
  `starts_at`, `ends_at`, `holder_id`,
  CASE WHEN length(`resource_id`) > 72 THEN substr(`resource_id`, 1, 36) ELSE '' END FROM `holds`;--> statement-breakpoint
DROP TABLE `holds`;--> statement-breakpoint
ALTER TABLE `holds_in_one_tree` RENAME TO `holds`;--> statement-breakpoint
CREATE INDEX `holds_holder` ON `holds` (`holder_id`);--> statement-breakpoint
CREATE INDEX `holds_kept` ON `holds` (`kept_by`, `starts_at`) WHERE kept_by <> '';--> statement-breakpoint
CREATE TRIGGER holds_refuse_overlap BEFORE INSERT ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_LENGTH')
  WHERE NEW.ends_at <= NEW.starts_at OR NEW.ends_at - NEW.starts_at > 43200000;
  SELECT RAISE(ABORT, 'SLOT_TAKEN')
  WHERE EXISTS (
    SELECT 1 FROM holds
    WHERE resource_id = NEW.resource_id
      AND kept_by = NEW.kept_by
      AND starts_at > NEW.starts_at - 43200000
      AND starts_at < NEW.ends_at
      AND ends_at > NEW.starts_at
  );
END;
--> statement-breakpoint
CREATE TRIGGER holds_refuse_update BEFORE UPDATE ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_IMMUTABLE');
END;
--> statement-breakpoint
CREATE TRIGGER holds_free AFTER DELETE ON holds
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT concerned.id, OLD.holder_id, OLD.starts_at, OLD.ends_at
  FROM (
    SELECT CASE OLD.kept_by WHEN '' THEN OLD.resource_id ELSE OLD.kept_by END AS id
    UNION SELECT event_type_id FROM event_type_resources WHERE resource_id = OLD.resource_id AND OLD.kept_by = ''
  ) concerned
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = concerned.id AND status = 'waiting');
END;
--> statement-breakpoint
CREATE TRIGGER sessions_end AFTER UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken <= 0
BEGIN
  DELETE FROM holds WHERE holder_id = OLD.id;
  DELETE FROM sessions WHERE id = OLD.id;
END;
--> statement-breakpoint
CREATE TABLE `events_in_one_tree` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`sequence` integer NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`previous` text,
	`created_at` integer NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`handled_at` integer,
	`retry_at` integer,
	PRIMARY KEY(`id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `events_in_one_tree` (`id`, `organization_id`, `is_test`, `sequence`, `kind`, `data`, `previous`, `created_at`, `revision`, `handled_at`, `retry_at`)
SELECT `id`, `organization_id`, `is_test`, `sequence`, `kind`, `data`, `previous`, `created_at`, `revision`, `handled_at`, `retry_at` FROM `events`;--> statement-breakpoint
DROP TABLE `events`;--> statement-breakpoint
ALTER TABLE `events_in_one_tree` RENAME TO `events`;--> statement-breakpoint
CREATE UNIQUE INDEX `events_sequence` ON `events` (`organization_id`,`is_test`,`sequence`);--> statement-breakpoint
CREATE INDEX `events_unhandled` ON `events` (coalesce(retry_at, created_at),`id`) WHERE handled_at IS NULL;--> statement-breakpoint
-- The log is read by organization, newest first: kept in that order, it needs no index for it.
CREATE TABLE `activity_in_one_tree` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text,
	`changes` text,
	`ip_address` text,
	`request_id` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `activity_in_one_tree` (`id`, `organization_id`, `is_test`, `actor_type`, `actor_id`, `action`, `resource_type`, `resource_id`, `changes`, `ip_address`, `request_id`, `created_at`)
SELECT `id`, `organization_id`, `is_test`, `actor_type`, `actor_id`, `action`, `resource_type`, `resource_id`, `changes`, `ip_address`, `request_id`, `created_at` FROM `activity`;--> statement-breakpoint
DROP TABLE `activity`;--> statement-breakpoint
ALTER TABLE `activity_in_one_tree` RENAME TO `activity`;--> statement-breakpoint
CREATE INDEX `activity_addresses` ON `activity` (`created_at`) WHERE ip_address IS NOT NULL;--> statement-breakpoint
CREATE INDEX `activity_action` ON `activity` (`organization_id`,`is_test`,`resource_type`,`action`,`id`);--> statement-breakpoint
CREATE INDEX `activity_resource` ON `activity` (`resource_id`,`id`) WHERE resource_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `emails_in_one_tree` (
	`id` text NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject_id` text,
	`recipient_id` text,
	`occasion` integer,
	`recipient` text NOT NULL,
	`message` text,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`id`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `emails_in_one_tree` (`id`, `organization_id`, `kind`, `subject_id`, `recipient_id`, `occasion`, `recipient`, `message`, `status`, `attempts`, `next_attempt_at`, `last_error`, `created_at`)
SELECT `id`, `organization_id`, `kind`, `subject_id`, `recipient_id`, `occasion`, `recipient`, `message`, `status`, `attempts`, `next_attempt_at`, `last_error`, `created_at` FROM `emails`;--> statement-breakpoint
DROP TABLE `emails`;--> statement-breakpoint
ALTER TABLE `emails_in_one_tree` RENAME TO `emails`;--> statement-breakpoint
CREATE INDEX `emails_pending` ON `emails` (`next_attempt_at`) WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX `emails_failed` ON `emails` (`created_at`) WHERE status = 'failed';--> statement-breakpoint
CREATE TABLE `idempotency_keys_in_one_tree` (
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`scope`, `key`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `idempotency_keys_in_one_tree` (`scope`, `key`, `request_hash`, `status`, `answer`, `expires_at`)
SELECT `scope`, `key`, `request_hash`, `status`, `answer`, `expires_at` FROM `idempotency_keys`;--> statement-breakpoint
DROP TABLE `idempotency_keys`;--> statement-breakpoint
ALTER TABLE `idempotency_keys_in_one_tree` RENAME TO `idempotency_keys`;--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `event_sequences_in_one_tree` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`last` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `event_sequences_in_one_tree` (`organization_id`, `is_test`, `last`)
SELECT `organization_id`, `is_test`, `last` FROM `event_sequences`;--> statement-breakpoint
DROP TABLE `event_sequences`;--> statement-breakpoint
ALTER TABLE `event_sequences_in_one_tree` RENAME TO `event_sequences`;--> statement-breakpoint
CREATE TABLE `booking_quotas_in_one_tree` (
	`organization_id` text NOT NULL,
	`month` text NOT NULL,
	`bookings` integer NOT NULL,
	`quota` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `month`),
	CONSTRAINT "booking_quota" CHECK(bookings <= quota)
) WITHOUT ROWID;--> statement-breakpoint
INSERT INTO `booking_quotas_in_one_tree` (`organization_id`, `month`, `bookings`, `quota`)
SELECT `organization_id`, `month`, `bookings`, `quota` FROM `booking_quotas`;--> statement-breakpoint
DROP TABLE `booking_quotas`;--> statement-breakpoint
ALTER TABLE `booking_quotas_in_one_tree` RENAME TO `booking_quotas`;--> statement-breakpoint
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
