DROP INDEX `webhook_deliveries_pending`;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `tell_again_at` integer;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_told` ON `webhook_deliveries` (`tell_again_at`,`id`) WHERE status = 'pending' AND tell_again_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_pending` ON `webhook_deliveries` (`next_retry_at`) WHERE status = 'pending' AND tell_again_at IS NULL;