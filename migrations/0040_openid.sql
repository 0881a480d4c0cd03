CREATE TABLE `openid_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`issuer` text NOT NULL,
	`subject_hash` text NOT NULL,
	`email` text NOT NULL,
	`member_id` text,
	`used_at` integer,
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_subject` ON `openid_accounts` (`subject_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_email` ON `openid_accounts` (`email`,`issuer`) WHERE member_id IS NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `openid_accounts_member` ON `openid_accounts` (`member_id`,`issuer`) WHERE member_id IS NOT NULL;