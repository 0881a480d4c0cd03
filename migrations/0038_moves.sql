CREATE TABLE `import_chunks` (
	`import_id` text NOT NULL,
	`number` integer NOT NULL,
	`rows` text NOT NULL,
	PRIMARY KEY(`import_id`, `number`)
) STRICT;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`seen_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `imports_seen` ON `imports` (`seen_at`);--> statement-breakpoint
CREATE TABLE `moves` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`began_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `slot_holds_organization` ON `slot_holds` (`organization_id`,`is_test`,`id`);
--> statement-breakpoint
-- Whoever changes something says so in the log, in the same batch. While an organization moves, nobody does.
CREATE TRIGGER activity_refuse_moving BEFORE INSERT ON activity
WHEN NEW.actor_type <> 'system' AND EXISTS (SELECT 1 FROM moves WHERE organization_id = NEW.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MOVES');
END;
