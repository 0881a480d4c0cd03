ALTER TABLE `sign_in_codes` ADD `mailbox` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `sign_in_codes_mailbox` ON `sign_in_codes` (`mailbox`,`created_at`);