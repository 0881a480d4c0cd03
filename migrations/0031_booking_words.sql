CREATE TABLE `booking_searches` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`sequence` integer NOT NULL,
	`filled_to` text,
	PRIMARY KEY(`organization_id`, `is_test`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `booking_searches_filling` ON `booking_searches` (`organization_id`,`is_test`) WHERE filled_to IS NOT NULL;--> statement-breakpoint
CREATE TABLE `booking_words` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`bucket` text NOT NULL,
	`part` integer NOT NULL,
	`lines` text NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `bucket`, `part`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- The sweep adds the words of existing bookings.
INSERT INTO `booking_searches` SELECT id, 0, 0, '' FROM organizations UNION ALL SELECT id, 1, 0, '' FROM organizations;
