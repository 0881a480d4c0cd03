CREATE TABLE `sweeps` (
	`name` text PRIMARY KEY NOT NULL,
	`ended_at` integer NOT NULL
);
