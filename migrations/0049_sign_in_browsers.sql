ALTER TABLE `sign_in_codes` ADD `browser` text;--> statement-breakpoint
CREATE INDEX `sign_in_codes_browser` ON `sign_in_codes` (`browser`,`created_at`) WHERE browser IS NOT NULL;