CREATE TABLE `import_jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`source` text NOT NULL,
	`status` text NOT NULL,
	`made` text NOT NULL,
	`left_out` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer
) STRICT;
--> statement-breakpoint
CREATE INDEX `import_jobs_source` ON `import_jobs` (`organization_id`,`source`,`created_at`);--> statement-breakpoint
CREATE INDEX `import_jobs_updated` ON `import_jobs` (`updated_at`);--> statement-breakpoint
CREATE TABLE `imported_from` (
	`organization_id` text NOT NULL,
	`source` text NOT NULL,
	`made_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`organization_id`, `source`)
) STRICT, WITHOUT ROWID;
