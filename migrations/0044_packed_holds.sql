CREATE TABLE `packed_holds` (
	`fortnight` integer NOT NULL,
	`resource_id` text NOT NULL,
	`times` text NOT NULL,
	PRIMARY KEY(`fortnight`, `resource_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER holds_unpack_insert AFTER INSERT ON holds
WHEN NEW.expires_at IS NULL AND NEW.kept_by = ''
BEGIN
  DELETE FROM packed_holds WHERE fortnight = NEW.starts_at / 1209600000 AND resource_id = NEW.resource_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_unpack_change AFTER UPDATE ON holds
WHEN (OLD.expires_at IS NULL AND OLD.kept_by = '') OR (NEW.expires_at IS NULL AND NEW.kept_by = '')
BEGIN
  DELETE FROM packed_holds WHERE fortnight = OLD.starts_at / 1209600000 AND resource_id = OLD.resource_id;
  DELETE FROM packed_holds WHERE fortnight = NEW.starts_at / 1209600000 AND resource_id = NEW.resource_id;
END;
--> statement-breakpoint
CREATE TRIGGER holds_unpack_delete AFTER DELETE ON holds
WHEN OLD.expires_at IS NULL AND OLD.kept_by = ''
BEGIN
  DELETE FROM packed_holds WHERE fortnight = OLD.starts_at / 1209600000 AND resource_id = OLD.resource_id;
END;
