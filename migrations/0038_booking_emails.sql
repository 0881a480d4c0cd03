CREATE TABLE `booking_emails` (
	`booking_id` text NOT NULL,
	`once_key` text NOT NULL,
	`about` text NOT NULL,
	`recipient_ids` text NOT NULL,
	`sent_at` integer NOT NULL,
	PRIMARY KEY(`booking_id`, `once_key`)
) STRICT, WITHOUT ROWID;
