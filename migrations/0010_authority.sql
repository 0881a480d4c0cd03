-- A key that was made on behalf of a member has at most that member's role; one made without has the owner's, and so
-- has every key that was there before.
ALTER TABLE `api_keys` ADD COLUMN `member_id` text;
--> statement-breakpoint
ALTER TABLE `api_keys` ADD COLUMN `role` text DEFAULT 'owner' NOT NULL;
--> statement-breakpoint
CREATE INDEX `api_keys_member` ON `api_keys` (`member_id`) WHERE `member_id` IS NOT NULL;
--> statement-breakpoint
-- At most 50 endpoints per organization and mode, however many are being made at once: those of the sandbox leave live
-- its own.
DROP TRIGGER webhook_endpoints_limit;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_limit BEFORE INSERT ON webhook_endpoints
WHEN (SELECT count(*) FROM webhook_endpoints WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test) >= 50
BEGIN
  SELECT RAISE(ABORT, 'ENDPOINTS_FULL');
END;
