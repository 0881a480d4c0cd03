ALTER TABLE `bookings` ADD `answers` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `attendance_at` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `no_shows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `host_absent` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `questions` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `no_shows` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `usage_days` ADD `host_absent` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `answers` text;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance AFTER UPDATE OF no_shows, host_absent ON bookings
WHEN OLD.no_shows <> NEW.no_shows OR OLD.host_absent <> NEW.host_absent
BEGIN
  UPDATE usage_days
  SET no_shows = no_shows + NEW.no_shows - OLD.no_shows, host_absent = host_absent + NEW.host_absent - OLD.host_absent
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.created_at / 86400000;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance_redate AFTER UPDATE OF created_at ON bookings
WHEN OLD.created_at / 86400000 <> NEW.created_at / 86400000 AND (NEW.no_shows > 0 OR NEW.host_absent)
BEGIN
  UPDATE usage_days SET no_shows = no_shows - NEW.no_shows, host_absent = host_absent - NEW.host_absent
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
  INSERT INTO usage_days (organization_id, is_test, day, no_shows, host_absent)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, NEW.no_shows, NEW.host_absent)
  ON CONFLICT DO UPDATE SET no_shows = no_shows + excluded.no_shows, host_absent = host_absent + excluded.host_absent;
END;
--> statement-breakpoint
CREATE TRIGGER bookings_usage_attendance_delete AFTER DELETE ON bookings
WHEN OLD.no_shows > 0 OR OLD.host_absent
BEGIN
  UPDATE usage_days SET no_shows = no_shows - OLD.no_shows, host_absent = host_absent - OLD.host_absent
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.created_at / 86400000;
END;
