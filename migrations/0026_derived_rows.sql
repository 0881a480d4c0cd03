-- Two rows that each booking wrote can be known without it.
-- An event takes the sequence after the largest there is, and after those that are there no more: the row that held the
-- last one is written only when the event with the largest goes.
-- A log entry needs no index of its network address: the oldest entry with one in each log is enough to know when one is due to go.
CREATE TABLE `logged_addresses` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`first_id` text NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `logged_addresses_first_id` ON `logged_addresses` (`first_id`);--> statement-breakpoint
INSERT INTO logged_addresses (organization_id, is_test, first_id)
SELECT organization_id, is_test, min(id) FROM activity WHERE ip_address IS NOT NULL GROUP BY organization_id, is_test;
--> statement-breakpoint
DROP INDEX `activity_addresses`;
--> statement-breakpoint
CREATE TRIGGER activity_logs_address AFTER INSERT ON activity
WHEN NEW.ip_address IS NOT NULL
BEGIN
  INSERT INTO logged_addresses (organization_id, is_test, first_id) VALUES (NEW.organization_id, NEW.is_test, NEW.id)
  ON CONFLICT DO UPDATE SET first_id = excluded.first_id WHERE excluded.first_id < logged_addresses.first_id;
END;
--> statement-breakpoint
CREATE TRIGGER events_keep_sequence AFTER DELETE ON events
WHEN NOT EXISTS (
  SELECT 1 FROM events WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND sequence > OLD.sequence)
BEGIN
  INSERT INTO event_sequences (organization_id, is_test, last) VALUES (OLD.organization_id, OLD.is_test, OLD.sequence)
  ON CONFLICT DO UPDATE SET last = max(last, excluded.last);
END;
--> statement-breakpoint
-- The Worker of before counts in that row, also while the new one is there already.
CREATE TRIGGER event_sequences_follow_insert AFTER INSERT ON event_sequences
WHEN EXISTS (
  SELECT 1 FROM events WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND sequence >= NEW.last)
BEGIN
  UPDATE event_sequences
  SET last = 1 + (SELECT max(sequence) FROM events WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test)
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test;
END;
--> statement-breakpoint
CREATE TRIGGER event_sequences_follow_change AFTER UPDATE OF last ON event_sequences
WHEN EXISTS (
  SELECT 1 FROM events WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND sequence >= NEW.last)
BEGIN
  UPDATE event_sequences
  SET last = 1 + (SELECT max(sequence) FROM events WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test)
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test;
END;
