CREATE TABLE `calendar_busy_times` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`starts_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	PRIMARY KEY(`connection_id`, `starts_at`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_busy_times_event` ON `calendar_busy_times` (`connection_id`,`event_id`);--> statement-breakpoint
CREATE TABLE `calendar_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`provider` text NOT NULL,
	`account_key` text NOT NULL,
	`account_email` text NOT NULL,
	`calendar_id` text NOT NULL,
	`timezone` text,
	`credentials` text NOT NULL,
	`provider_metadata` text NOT NULL,
	`status` text NOT NULL,
	`sync_status` text NOT NULL,
	`sync_error` text,
	`sync_cursor` text,
	`synced_until` integer DEFAULT 0 NOT NULL,
	`last_sync_at` integer,
	`next_sync_at` integer NOT NULL,
	`sync_failures` integer DEFAULT 0 NOT NULL,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_account` ON `calendar_connections` (`organization_id`,`is_test`,`account_key`);--> statement-breakpoint
CREATE INDEX `calendar_connections_organization` ON `calendar_connections` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_connections_member` ON `calendar_connections` (`member_id`,`is_test`);--> statement-breakpoint
CREATE INDEX `calendar_connections_due` ON `calendar_connections` (`next_sync_at`) WHERE status IN ('active', 'error');--> statement-breakpoint
CREATE TABLE `calendar_events` (
	`connection_id` text NOT NULL,
	`event_id` text NOT NULL,
	`uid` text NOT NULL,
	`etag` text,
	`starts_at` integer,
	`ends_at` integer,
	PRIMARY KEY(`connection_id`, `event_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_events_uid` ON `calendar_events` (`connection_id`,`uid`);--> statement-breakpoint
CREATE TABLE `calendar_writes` (
	`holder_id` text NOT NULL,
	`connection_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`uid` text NOT NULL,
	`wants_meeting` integer NOT NULL,
	`event_id` text,
	`etag` text,
	`wanted_revision` integer DEFAULT 0 NOT NULL,
	`written_revision` integer DEFAULT 0 NOT NULL,
	`sequence` integer DEFAULT 0 NOT NULL,
	`written_start` integer,
	`written_end` integer,
	`meeting_url` text,
	`suspected_at` integer,
	`is_moved` integer DEFAULT false NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_until` integer,
	`last_error` text,
	`updated_at` integer NOT NULL,
	PRIMARY KEY(`holder_id`, `connection_id`)
);
--> statement-breakpoint
CREATE INDEX `calendar_writes_connection` ON `calendar_writes` (`connection_id`,`uid`);--> statement-breakpoint
CREATE INDEX `calendar_writes_due` ON `calendar_writes` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_writes_due_of` ON `calendar_writes` (`organization_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `conferencing_connections` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`account_email` text,
	`credentials` text NOT NULL,
	`status` text NOT NULL,
	`error` text,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conferencing_connections_provider` ON `conferencing_connections` (`organization_id`,`is_test`,`provider`);--> statement-breakpoint
CREATE TABLE `meetings` (
	`holder_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`provider` text NOT NULL,
	`meeting_id` text,
	`join_url` text,
	`wanted_revision` integer DEFAULT 0 NOT NULL,
	`written_start` integer,
	`written_end` integer,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer,
	`claimed_until` integer,
	`last_error` text,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `meetings_due` ON `meetings` (`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `meetings_due_of` ON `meetings` (`organization_id`,`next_attempt_at`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `calendar_connection_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `calendar_event_id` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `busy_as_of` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `sync_error` text;--> statement-breakpoint
CREATE INDEX `bookings_calendar` ON `bookings` (`calendar_connection_id`,`start_time`,`status`) WHERE calendar_connection_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `calendar_connection_id` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `default_calendar_connection_id` text;--> statement-breakpoint
-- Whatever changes a booking, by whichever way in, calls in the same commit for its event in the calendar and for
-- its meeting. The holder is the session where seats are shared. A booking that is still to be paid calls for none.
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
-- A link that was made elsewhere is told to the calendar; one that came with its own event is there already.
CREATE TRIGGER bookings_call_for_linked AFTER UPDATE OF conferencing_url ON bookings
WHEN NEW.conferencing_url IS NOT OLD.conferencing_url AND NEW.conferencing_url IS NOT NULL
BEGIN
  UPDATE calendar_writes
  SET wanted_revision = wanted_revision + 1, status = 'pending', attempts = 0, last_error = NULL,
    next_attempt_at = CAST(unixepoch('subsec') * 1000 AS INTEGER), updated_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
  WHERE holder_id = coalesce(NEW.session_id, NEW.id) AND meeting_url IS NOT NEW.conferencing_url;
END;
--> statement-breakpoint
-- Only bookings of a sandbox are deleted, and nothing of them is anywhere else.
CREATE TRIGGER bookings_call_for_nothing AFTER DELETE ON bookings
BEGIN
  DELETE FROM calendar_writes WHERE holder_id IN (OLD.id, OLD.session_id);
  DELETE FROM meetings WHERE holder_id IN (OLD.id, OLD.session_id);
END;
