ALTER TABLE `calendar_feeds` ADD `created_by_type` text;--> statement-breakpoint
ALTER TABLE `calendar_feeds` ADD `created_by_id` text;--> statement-breakpoint
CREATE INDEX `calendar_feeds_created_by` ON `calendar_feeds` (`created_by_id`) WHERE created_by_type = 'member';--> statement-breakpoint
CREATE INDEX `invitations_made` ON `invitations` (`organization_id`,`is_test`,`id`);--> statement-breakpoint
ALTER TABLE `organizations` ADD `plan_limits` text;--> statement-breakpoint
DROP TRIGGER guard_refuses;--> statement-breakpoint
-- The same as before, and one fence more: as many as the plan allows.
CREATE TRIGGER guard_refuses INSTEAD OF INSERT ON guard
WHEN NEW.refused
BEGIN
  SELECT RAISE(ABORT, 'CAP_REACHED') WHERE NEW.fence = 'CAP_REACHED';
  SELECT RAISE(ABORT, 'PUBLIC_LIMIT') WHERE NEW.fence = 'PUBLIC_LIMIT';
  SELECT RAISE(ABORT, 'PLAN_LIMIT') WHERE NEW.fence = 'PLAN_LIMIT';
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
-- The log knows which member made a feed so far.
UPDATE calendar_feeds SET created_by_type = 'member', created_by_id = (
  SELECT m.id FROM activity a JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.actor_id
  WHERE a.resource_id = calendar_feeds.id AND a.action = 'calendar_feed.created' AND a.actor_type = 'user'
) WHERE EXISTS (
  SELECT 1 FROM activity a JOIN members m ON m.organization_id = a.organization_id AND m.user_id = a.actor_id
  WHERE a.resource_id = calendar_feeds.id AND a.action = 'calendar_feed.created' AND a.actor_type = 'user'
);
