ALTER TABLE `booking_searches` ADD `version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- The sweep writes the words of existing bookings without accents.
UPDATE `booking_searches` SET `filled_to` = '';
