-- One entry less for each write. The Worker before finds what is due of an organization in the index by time as well.
DROP INDEX `calendar_writes_due_of`;--> statement-breakpoint
DROP INDEX `calendar_writes_due`;--> statement-breakpoint
CREATE INDEX `calendar_writes_due` ON `calendar_writes` (`next_attempt_at`,`organization_id`) WHERE next_attempt_at IS NOT NULL;--> statement-breakpoint
DROP INDEX `meetings_due_of`;--> statement-breakpoint
DROP INDEX `meetings_due`;--> statement-breakpoint
CREATE INDEX `meetings_due` ON `meetings` (`next_attempt_at`,`organization_id`) WHERE next_attempt_at IS NOT NULL;
