CREATE TRIGGER sessions_refuse_seats BEFORE UPDATE OF seats_taken ON sessions
WHEN NEW.seats_taken > OLD.seats_taken
BEGIN
  SELECT RAISE(ABORT, 'SEATS_TAKEN')
  WHERE NEW.seats_taken > (SELECT max_attendees FROM event_types WHERE id = NEW.event_type_id);
END;
--> statement-breakpoint
CREATE TRIGGER webhook_endpoints_limit BEFORE INSERT ON webhook_endpoints
WHEN (SELECT count(*) FROM webhook_endpoints WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test) >= 50
BEGIN
  SELECT RAISE(ABORT, 'ENDPOINTS_FULL');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_refuse_revival BEFORE UPDATE OF status ON bookings
WHEN OLD.status = 'cancelled' AND NEW.status <> 'cancelled'
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
CREATE TRIGGER holds_refuse_update BEFORE UPDATE OF resource_id, starts_at, ends_at, kept_by, meets_at ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_IMMUTABLE');
END;
--> statement-breakpoint
CREATE TRIGGER slot_holds_refuse_revival BEFORE UPDATE OF status ON slot_holds
WHEN OLD.status <> NEW.status AND (NEW.status = 'held' OR OLD.status IN ('confirmed', 'released')
  OR (OLD.status = 'expired' AND NEW.status <> CASE OLD.purpose WHEN 'hold' THEN 'confirmed' ELSE 'released' END))
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER activity_refuse_moving BEFORE INSERT ON activity
WHEN NEW.actor_type <> 'system' AND EXISTS (SELECT 1 FROM moves WHERE organization_id = NEW.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_MOVES');
END;
--> statement-breakpoint
CREATE TRIGGER deletions_refuse_kind BEFORE INSERT ON deletions
WHEN (NEW.kind = 'moved') <> EXISTS (SELECT 1 FROM moves WHERE organization_id = NEW.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'STALE');
END;
--> statement-breakpoint
CREATE TRIGGER deletions_refuse_return BEFORE DELETE ON deletions
WHEN OLD.begun_at IS NOT NULL AND EXISTS (SELECT 1 FROM organizations WHERE id = OLD.organization_id)
BEGIN
  SELECT RAISE(ABORT, 'ORGANIZATION_DELETED');
END;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER holds_refuse_overlap BEFORE INSERT ON holds
BEGIN
  SELECT RAISE(ABORT, 'HOLD_LENGTH')
  WHERE NEW.ends_at <= NEW.starts_at OR NEW.ends_at - NEW.starts_at > 43200000;
  SELECT RAISE(ABORT, 'SLOT_TAKEN')
  WHERE NEW.starts_at < (
    SELECT ends_at FROM holds
    WHERE resource_id = NEW.resource_id AND kept_by = NEW.kept_by AND starts_at < NEW.ends_at
    ORDER BY starts_at DESC LIMIT 1
  );
END;
--> statement-breakpoint
CREATE TRIGGER guard_refuses INSTEAD OF INSERT ON guard
WHEN NEW.refused
BEGIN
  SELECT RAISE(ABORT, 'CAP_REACHED') WHERE NEW.fence = 'CAP_REACHED';
  SELECT RAISE(ABORT, 'PUBLIC_LIMIT') WHERE NEW.fence = 'PUBLIC_LIMIT';
  SELECT RAISE(ABORT, 'PLAN_LIMIT') WHERE NEW.fence = 'PLAN_LIMIT';
  SELECT RAISE(ABORT, 'STALE');
END;
