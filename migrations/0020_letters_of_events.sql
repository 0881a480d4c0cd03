-- Who handles an event sends its few letters at once: until they are out, the event itself says so, and no row of each
-- letter is written only to be deleted. Whose letter stays here, because the day's limit is reached, is known when it is
-- tried again.
ALTER TABLE `events` ADD `claimed_until` integer;--> statement-breakpoint
ALTER TABLE `events` ADD `held_back` text;
