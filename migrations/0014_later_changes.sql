ALTER TABLE `bookings` ADD `guests` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `invitee_phone` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `host_chosen` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `needs_host` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `bookings` ADD `overridden` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `price` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `acts` text;--> statement-breakpoint
ALTER TABLE `bookings` ADD `out_of_sync` text;--> statement-breakpoint
ALTER TABLE `event_types` ADD `max_guests` integer DEFAULT 3 NOT NULL;--> statement-breakpoint
ALTER TABLE `event_types` ADD `host_choice` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `invitee_emails` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `organizations` ADD `calendar_moves` text DEFAULT 'ask' NOT NULL;--> statement-breakpoint
ALTER TABLE `slot_holds` ADD `price` text;--> statement-breakpoint
ALTER TABLE `waitlist_entries` ADD `price` text;