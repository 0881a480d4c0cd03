-- Nobody knows any more how the bookings that are there were made, so all of them count as a stranger's.
ALTER TABLE `bookings` ADD `is_keyless` integer DEFAULT 1 NOT NULL;
