CREATE TABLE `packed_busy_times` (
	`connection_id` text NOT NULL,
	`fortnight` integer NOT NULL,
	`times` text,
	PRIMARY KEY(`connection_id`, `fortnight`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO packed_busy_times (connection_id, fortnight)
SELECT DISTINCT connection_id, starts_at / 1209600000 FROM calendar_busy_times;
--> statement-breakpoint
CREATE TRIGGER calendar_busy_times_unpack_insert AFTER INSERT ON calendar_busy_times
BEGIN
  UPDATE packed_busy_times SET times = NULL
  WHERE connection_id = NEW.connection_id AND fortnight = NEW.starts_at / 1209600000 AND times IS NOT NULL;
  INSERT INTO packed_busy_times (connection_id, fortnight)
  SELECT NEW.connection_id, NEW.starts_at / 1209600000 WHERE NOT EXISTS (SELECT 1 FROM packed_busy_times
    WHERE connection_id = NEW.connection_id AND fortnight = NEW.starts_at / 1209600000);
END;
--> statement-breakpoint
CREATE TRIGGER calendar_busy_times_unpack_change AFTER UPDATE ON calendar_busy_times
BEGIN
  UPDATE packed_busy_times SET times = NULL
  WHERE connection_id = OLD.connection_id AND fortnight = OLD.starts_at / 1209600000 AND times IS NOT NULL;
  UPDATE packed_busy_times SET times = NULL
  WHERE connection_id = NEW.connection_id AND fortnight = NEW.starts_at / 1209600000 AND times IS NOT NULL;
  INSERT INTO packed_busy_times (connection_id, fortnight)
  SELECT NEW.connection_id, NEW.starts_at / 1209600000 WHERE NOT EXISTS (SELECT 1 FROM packed_busy_times
    WHERE connection_id = NEW.connection_id AND fortnight = NEW.starts_at / 1209600000);
END;
--> statement-breakpoint
CREATE TRIGGER calendar_busy_times_unpack_delete AFTER DELETE ON calendar_busy_times
BEGIN
  UPDATE packed_busy_times SET times = NULL
  WHERE connection_id = OLD.connection_id AND fortnight = OLD.starts_at / 1209600000 AND times IS NOT NULL;
  DELETE FROM packed_busy_times
  WHERE connection_id = OLD.connection_id AND fortnight = OLD.starts_at / 1209600000 AND NOT EXISTS (
    SELECT 1 FROM calendar_busy_times WHERE connection_id = OLD.connection_id
      AND starts_at >= OLD.starts_at / 1209600000 * 1209600000 AND starts_at < (OLD.starts_at / 1209600000 + 1) * 1209600000);
END;
