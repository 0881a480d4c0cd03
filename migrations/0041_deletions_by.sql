ALTER TABLE `deletions` ADD `requested_by` text DEFAULT 'operator' NOT NULL;--> statement-breakpoint
ALTER TABLE `deletions` DROP COLUMN `step`;--> statement-breakpoint
ALTER TABLE `deletions` DROP COLUMN `has_found`;