ALTER TABLE `waitlist_entries` ADD `meets_at` text;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `invitee_phone` text;