CREATE TABLE `calendar_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`member_id` text NOT NULL,
	`provider` text NOT NULL,
	`account_key` text NOT NULL,
	`account_email` text NOT NULL,
	`server_url` text NOT NULL,
	`credentials` text NOT NULL,
	`calendars` text DEFAULT '[]' NOT NULL,
	`connected_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_accounts_key_of_member` ON `calendar_accounts` (`member_id`,`is_test`,`account_key`);--> statement-breakpoint
CREATE INDEX `calendar_accounts_organization` ON `calendar_accounts` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_accounts_key` ON `calendar_accounts` (`account_key`);--> statement-breakpoint
CREATE TABLE `calendar_channels` (
	`id` text PRIMARY KEY NOT NULL,
	`connection_id` text NOT NULL,
	`provider` text NOT NULL,
	`resource_id` text,
	`secret_hash` text NOT NULL,
	`expires_at` integer NOT NULL,
	`renew_at` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `calendar_channels_connection` ON `calendar_channels` (`connection_id`);--> statement-breakpoint
CREATE INDEX `calendar_channels_renewal` ON `calendar_channels` (`renew_at`);--> statement-breakpoint
CREATE TABLE `calendar_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`member_id` text,
	`token_hash` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_feeds_token` ON `calendar_feeds` (`token_hash`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_organization` ON `calendar_feeds` (`organization_id`,`id`);--> statement-breakpoint
CREATE INDEX `calendar_feeds_member` ON `calendar_feeds` (`member_id`);--> statement-breakpoint
CREATE TABLE `operator_notices` (
	`subject` text PRIMARY KEY NOT NULL,
	`told_at` integer NOT NULL
);
--> statement-breakpoint
DROP INDEX `calendar_connections_account`;--> statement-breakpoint
DROP INDEX `calendar_connections_key`;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `account_id` text;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `name` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `is_primary` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `can_write` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `checks_busy` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `receives_bookings` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `failing_at` integer;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `tell_at` integer;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `ends_at` integer;--> statement-breakpoint
ALTER TABLE `calendar_connections` ADD `lost_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_calendar` ON `calendar_connections` (`account_id`,`calendar_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calendar_connections_receiving` ON `calendar_connections` (`member_id`,`is_test`) WHERE receives_bookings;--> statement-breakpoint
CREATE INDEX `calendar_connections_tell` ON `calendar_connections` (`tell_at`) WHERE tell_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `calendar_connections_end` ON `calendar_connections` (`ends_at`) WHERE ends_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `conferencing_connections_provider`;--> statement-breakpoint
ALTER TABLE `conferencing_connections` ADD `member_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `conferencing_connections` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `conferencing_connections_member` ON `conferencing_connections` (`organization_id`,`is_test`,`provider`,`member_id`);--> statement-breakpoint
CREATE INDEX `conferencing_connections_external` ON `conferencing_connections` (`provider`,`external_id`);--> statement-breakpoint
ALTER TABLE `calendar_writes` ADD `calendar_id` text;--> statement-breakpoint
ALTER TABLE `calendar_writes` ADD `cancel_at` integer;--> statement-breakpoint
CREATE INDEX `calendar_writes_dragged` ON `calendar_writes` (`connection_id`) WHERE calendar_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `meetings` ADD `connection_id` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `calendar_outage` text DEFAULT 'last_known' NOT NULL;
--> statement-breakpoint
-- Until now each account had one calendar, and the account is named after it.
INSERT INTO `calendar_accounts` (`id`, `organization_id`, `is_test`, `member_id`, `provider`, `account_key`, `account_email`,
  `server_url`, `credentials`, `connected_at`, `updated_at`)
SELECT `id`, `organization_id`, `is_test`, `member_id`, `provider`, `account_key`, `account_email`,
  `provider_metadata` ->> 'server_url', `credentials`, `connected_at`, `updated_at` FROM `calendar_connections`;
--> statement-breakpoint
-- One calendar of a member receives bookings: the organization's default, else the oldest; as until now of those whose
-- permission has not ended, where there are any.
UPDATE `calendar_connections` SET `account_id` = `id`, `name` = `account_email`,
  `receives_bookings` = `id` IS (
    SELECT other.id FROM calendar_connections other LEFT JOIN organizations o ON o.id = other.organization_id
    WHERE other.member_id = calendar_connections.member_id AND other.is_test = calendar_connections.is_test
    ORDER BY other.status IN ('active', 'error') DESC, other.id = o.default_calendar_connection_id DESC, other.id LIMIT 1);
--> statement-breakpoint
UPDATE `conferencing_connections` SET `member_id` = coalesce((
  SELECT m.id FROM members m JOIN organizations o ON o.id = m.organization_id
  WHERE o.id = conferencing_connections.organization_id AND m.user_id = o.owner_user_id), '');
--> statement-breakpoint
UPDATE `meetings` SET `connection_id` = (
  SELECT c.id FROM conferencing_connections c WHERE c.organization_id = meetings.organization_id
    AND c.is_test = meetings.is_test AND c.provider = meetings.provider)
WHERE `meeting_id` IS NOT NULL;
--> statement-breakpoint
-- A Worker of the version before may make connections without an account until it is gone.
INSERT INTO `handovers` (`since`)
SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) - 60000 WHERE EXISTS (SELECT 1 FROM `organizations`)
  AND NOT EXISTS (SELECT 1 FROM `handovers`);
--> statement-breakpoint
-- Tokens are renewed without a change of what a schedule is made of; whether a calendar is lost is one.
DROP TRIGGER calendar_connections_version_change;
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
-- A booking that is written to no calendar takes the time of its owner all the same, where there are calendars.
DROP TRIGGER bookings_share_insert;
--> statement-breakpoint
CREATE TRIGGER bookings_share_insert AFTER INSERT ON bookings
WHEN NEW.status <> 'cancelled' AND (NEW.assigned_host_id IS NOT NULL OR NEW.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test))
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT NEW.is_test), test_version = test_version + NEW.is_test
  WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
DROP TRIGGER bookings_share_change;
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
DROP TRIGGER bookings_share_delete;
--> statement-breakpoint
CREATE TRIGGER bookings_share_delete AFTER DELETE ON bookings
WHEN OLD.status <> 'cancelled' AND (OLD.assigned_host_id IS NOT NULL OR OLD.calendar_connection_id IS NOT NULL OR EXISTS (
  SELECT 1 FROM calendar_connections WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test))
BEGIN
  UPDATE organizations SET live_version = live_version + (NOT OLD.is_test), test_version = test_version + OLD.is_test
  WHERE id = OLD.organization_id;
END;
