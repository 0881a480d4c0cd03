-- The line has an order of its own: ids are made from clocks, and a clock may be behind after a restart.
ALTER TABLE `waitlist_entries` ADD `place` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `waitlist_entries` SET `place` = `numbered`.`place`
FROM (
  SELECT `id`, row_number() OVER (PARTITION BY `event_type_id` ORDER BY `id`) AS `place` FROM `waitlist_entries`
) `numbered`
WHERE `numbered`.`id` = `waitlist_entries`.`id`;--> statement-breakpoint
DROP INDEX `waitlist_entries_line`;--> statement-breakpoint
CREATE INDEX `waitlist_entries_line` ON `waitlist_entries` (`event_type_id`,`place`) WHERE status = 'waiting';
--> statement-breakpoint
-- The calendars that have a say in what an event type offers: those of its hosts; without hosts the owner's and
-- the default, in the same mode.
CREATE VIEW event_type_calendars AS
SELECT hosting.event_type_id AS event_type_id, calendar.id AS calendar_id
FROM event_type_hosts hosting
JOIN event_types type ON type.id = hosting.event_type_id
JOIN calendar_connections calendar ON calendar.member_id = hosting.member_id AND calendar.is_test = type.is_test
UNION ALL
SELECT type.id, calendar.id
FROM event_types type
JOIN organizations ON organizations.id = type.organization_id
JOIN calendar_connections calendar
  ON calendar.organization_id = type.organization_id AND calendar.is_test = type.is_test
WHERE NOT EXISTS (SELECT 1 FROM event_type_hosts hosting WHERE hosting.event_type_id = type.id)
  AND (calendar.id = organizations.default_calendar_connection_id OR EXISTS (
    SELECT 1 FROM members
    WHERE members.id = calendar.member_id AND members.organization_id = organizations.id
      AND members.user_id = organizations.owner_user_id));
--> statement-breakpoint
-- Whatever must be free for a booking of an event type, but for what it keeps of hosts who left.
CREATE VIEW event_type_resources AS
SELECT id AS event_type_id, id AS resource_id FROM event_types
UNION ALL SELECT event_type_id, resource_id FROM event_type_hosts
UNION ALL SELECT event_type_id, calendar_id FROM event_type_calendars;
--> statement-breakpoint
DROP TRIGGER holds_free;--> statement-breakpoint
-- Who waits for the time of a resource: every event type in which it has a say. What an event type keeps of a host
-- who left begins with its id, which has 36 characters.
CREATE TRIGGER holds_free AFTER DELETE ON holds
BEGIN
  INSERT INTO freed_times (event_type_id, source, starts_at, ends_at)
  SELECT concerned.id, OLD.holder_id, OLD.starts_at, OLD.ends_at
  FROM (
    SELECT substr(OLD.resource_id, 1, 36) AS id
    UNION SELECT event_type_id FROM event_type_resources WHERE resource_id = OLD.resource_id
  ) concerned
  WHERE EXISTS (SELECT 1 FROM waitlist_entries WHERE event_type_id = concerned.id AND status = 'waiting');
END;
--> statement-breakpoint
-- One key is one refund, whatever else is asked for under it: the request, 64 digits at the end, goes apart.
ALTER TABLE `refunds` ADD `claimed_for` text;--> statement-breakpoint
UPDATE `refunds` SET `claim` = NULL
WHERE `claim` IS NOT NULL AND `id` NOT IN (
  SELECT max(`id`) FROM `refunds` WHERE `claim` IS NOT NULL GROUP BY substr(`claim`, 1, length(`claim`) - 65)
);--> statement-breakpoint
UPDATE `refunds` SET `claimed_for` = substr(`claim`, -64), `claim` = substr(`claim`, 1, length(`claim`) - 65)
WHERE `claim` IS NOT NULL;
