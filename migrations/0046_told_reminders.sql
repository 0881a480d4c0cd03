-- When the sweep tells the queue again of reminders that are due: a queue that is behind is not filled with what it holds.
ALTER TABLE `bookings` ADD `tell_reminders_again_at` integer;