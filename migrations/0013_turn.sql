-- The line has an order of its own: ids are made from clocks, and a clock may be behind after a restart.
ALTER TABLE `waitlist_entries` ADD `place` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `waitlist_entries` SET `place` = `numbered`.`place`
FROM (
  SELECT `id`, row_number() OVER (PARTITION BY `event_type_id` ORDER BY `id`) AS `place` FROM `waitlist_entries`
) `numbered`
WHERE `numbered`.`id` = `waitlist_entries`.`id`;--> statement-breakpoint
DROP INDEX `waitlist_entries_line`;--> statement-breakpoint
CREATE INDEX `waitlist_entries_line` ON `waitlist_entries` (`event_type_id`,`place`) WHERE status = 'waiting';
