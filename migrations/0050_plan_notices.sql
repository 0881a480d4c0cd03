ALTER TABLE `booking_quotas` ADD `noticed` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `booking_quotas` ADD `notice_at` integer;--> statement-breakpoint
CREATE INDEX `booking_quotas_notices` ON `booking_quotas` (`organization_id`,`month`) WHERE notice_at IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER organizations_notice_plan AFTER UPDATE OF tier ON organizations
WHEN NEW.tier <> OLD.tier
BEGIN
  UPDATE booking_quotas SET notice_at = NEW.updated_at
  WHERE organization_id = NEW.id AND month = strftime('%Y-%m', NEW.updated_at / 1000, 'unixepoch');
END;
