ALTER TABLE `organizations` ADD `listing_version` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
CREATE TRIGGER event_types_listing_insert AFTER INSERT ON event_types
WHEN NOT NEW.is_test
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_types_listing_change AFTER UPDATE OF title, slug, description, duration_minutes, color, price_amount,
  price_currency, conferencing_provider, location, group_name, position, active, booking_page_enabled, deleted_at ON event_types
WHEN NOT NEW.is_test
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_types_listing_delete AFTER DELETE ON event_types
WHEN NOT OLD.is_test AND OLD.deleted_at IS NULL
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = OLD.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_listing_insert AFTER INSERT ON event_type_hosts
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1
  WHERE id = (SELECT organization_id FROM event_types WHERE id = NEW.event_type_id AND NOT is_test);
END;
--> statement-breakpoint
CREATE TRIGGER event_type_hosts_listing_delete AFTER DELETE ON event_type_hosts
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1
  WHERE id = (SELECT organization_id FROM event_types WHERE id = OLD.event_type_id AND NOT is_test);
END;
--> statement-breakpoint
CREATE TRIGGER members_listing_change AFTER UPDATE OF name, avatar_url ON members
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = NEW.organization_id;
END;
--> statement-breakpoint
CREATE TRIGGER members_listing_delete AFTER DELETE ON members
WHEN OLD.name IS NOT NULL
BEGIN
  UPDATE organizations SET listing_version = listing_version + 1 WHERE id = OLD.organization_id;
END;
