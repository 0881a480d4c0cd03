-- Where people may be sent back to (a JSON list of hosts); null means the host of the service itself.
ALTER TABLE `organizations` ADD `allowed_redirect_hosts` text;
--> statement-breakpoint
-- Giving a permission back at the provider ends it for every connection of the account, so these are looked for first.
CREATE INDEX `calendar_connections_key` ON `calendar_connections` (`account_key`);
--> statement-breakpoint
CREATE INDEX `conferencing_connections_email` ON `conferencing_connections` (`provider`, `account_email`);
