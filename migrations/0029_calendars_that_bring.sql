ALTER TABLE `calendar_connections` ADD `bring_at` integer;--> statement-breakpoint
CREATE INDEX `calendar_connections_bring` ON `calendar_connections` (`bring_at`) WHERE bring_at IS NOT NULL;