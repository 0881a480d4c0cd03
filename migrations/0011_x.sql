ALTER TABLE `sessions` ADD `calendar_connection_id` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `default_calendar_connection_id` text;