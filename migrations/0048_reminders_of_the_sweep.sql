-- The Worker before keeps this in a row of its own.
ALTER TABLE `sweeps` ADD `last_due_at` integer;
