-- For a moment after 0018 a Worker of the version before still runs, and relies on the triggers that are gone. Since when
-- that may be: the sweep of this version makes up once for what that Worker changed. An empty database has had none.
CREATE TABLE `handovers` (
	`since` integer PRIMARY KEY NOT NULL
);--> statement-breakpoint
INSERT INTO `handovers` (`since`)
SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) - 60000 WHERE EXISTS (SELECT 1 FROM `bookings`);
