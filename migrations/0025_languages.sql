ALTER TABLE `bookings` ADD `invitee_locale` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `members` ADD `name` text;--> statement-breakpoint
ALTER TABLE `members` ADD `avatar_url` text;--> statement-breakpoint
ALTER TABLE `members` ADD `timezone` text;--> statement-breakpoint
ALTER TABLE `members` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `members` ADD `notifications` text;--> statement-breakpoint
ALTER TABLE `members` ADD `next_agenda_at` integer;--> statement-breakpoint
CREATE INDEX `members_agenda` ON `members` (`next_agenda_at`,`id`) WHERE next_agenda_at IS NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `locale` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `logo_dark_url` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `accent_color` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `imprint_url` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `privacy_url` text;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `invitee_locale` text DEFAULT 'en' NOT NULL;--> statement-breakpoint
CREATE INDEX `waitlist_entries_promoted` ON `waitlist_entries` (`promoted_booking_id`) WHERE promoted_booking_id IS NOT NULL;--> statement-breakpoint
-- Bookings without a language of their own are decided with the organization's.
CREATE TRIGGER organizations_version_locale AFTER UPDATE OF locale ON organizations
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.id;
END;
