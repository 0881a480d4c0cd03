CREATE TABLE `names` (
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`organization_id` text NOT NULL,
	`unsure_since` integer,
	PRIMARY KEY(`kind`, `name`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `names_of` ON `names` (`organization_id`,`kind`);--> statement-breakpoint
CREATE INDEX `names_unsure` ON `names` (`unsure_since`);
--> statement-breakpoint
-- What an organization in another database has is taken here as well.
CREATE TRIGGER organizations_refuse_slug BEFORE INSERT ON organizations
WHEN EXISTS (SELECT 1 FROM names WHERE kind = 'slug' AND name = NEW.slug AND organization_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.slug');
END;
--> statement-breakpoint
CREATE TRIGGER organizations_refuse_new_slug BEFORE UPDATE OF slug ON organizations
WHEN EXISTS (SELECT 1 FROM names WHERE kind = 'slug' AND name = NEW.slug AND organization_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.slug');
END;
--> statement-breakpoint
CREATE TRIGGER organizations_refuse_owner BEFORE INSERT ON organizations
WHEN EXISTS (SELECT 1 FROM names WHERE kind = 'owner' AND name = NEW.owner_user_id AND organization_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.owner_user_id');
END;
--> statement-breakpoint
CREATE TRIGGER organizations_refuse_new_owner BEFORE UPDATE OF owner_user_id ON organizations
WHEN EXISTS (SELECT 1 FROM names WHERE kind = 'owner' AND name = NEW.owner_user_id AND organization_id <> NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.owner_user_id');
END;
--> statement-breakpoint
-- And the other way round. Who claims a name again that is theirs may.
CREATE TRIGGER names_refuse_slug BEFORE INSERT ON names
WHEN NEW.kind = 'slug' AND (EXISTS (SELECT 1 FROM organizations WHERE slug = NEW.name AND id <> NEW.organization_id)
  OR EXISTS (SELECT 1 FROM names WHERE kind = 'slug' AND name = NEW.name AND organization_id <> NEW.organization_id))
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.slug');
END;
--> statement-breakpoint
CREATE TRIGGER names_refuse_owner BEFORE INSERT ON names
WHEN NEW.kind = 'owner' AND (EXISTS (SELECT 1 FROM organizations WHERE owner_user_id = NEW.name AND id <> NEW.organization_id)
  OR EXISTS (SELECT 1 FROM names WHERE kind = 'owner' AND name = NEW.name AND organization_id <> NEW.organization_id))
BEGIN
  SELECT RAISE(ABORT, 'UNIQUE constraint failed: organizations.owner_user_id');
END;
