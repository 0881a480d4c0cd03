CREATE TABLE `deletions` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`requested_at` integer NOT NULL,
	`deletes_at` integer NOT NULL,
	`suspended_before` integer,
	`next_at` integer NOT NULL,
	`begun_at` integer,
	`step` integer DEFAULT 0 NOT NULL,
	`has_found` integer DEFAULT false NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `deletions_due` ON `deletions` (`next_at`,`organization_id`);
--> statement-breakpoint
-- Whether its bookings are called off depends on whether it moved: that must be so at the commit.
CREATE TRIGGER deletions_refuse_kind BEFORE INSERT ON deletions
WHEN (NEW.kind = 'moved') <> EXISTS (SELECT 1 FROM moves WHERE organization_id = NEW.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
-- Nobody takes back what has begun; the row goes once the organization is gone.
CREATE TRIGGER deletions_refuse_return BEFORE DELETE ON deletions
WHEN OLD.begun_at IS NOT NULL AND EXISTS (SELECT 1 FROM organizations WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_DELETED');
END;
--> statement-breakpoint
-- What is to be deleted neither moves away nor goes on: it is taken back first.
CREATE TRIGGER moves_refuse_deleted BEFORE INSERT ON moves
WHEN EXISTS (SELECT 1 FROM deletions WHERE organization_id = NEW.organization_id AND kind = 'closed' AND begun_at IS NULL)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_DELETED');
END;
--> statement-breakpoint
CREATE TRIGGER moves_refuse_end BEFORE DELETE ON moves
WHEN EXISTS (SELECT 1 FROM deletions WHERE organization_id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_DELETED');
END;
--> statement-breakpoint
CREATE TRIGGER organizations_refuse_resuming BEFORE UPDATE OF suspended_at ON organizations
WHEN NEW.suspended_at IS NULL AND OLD.suspended_at IS NOT NULL
  AND EXISTS (SELECT 1 FROM deletions WHERE organization_id = NEW.id AND kind = 'closed')
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_DELETED');
END;
