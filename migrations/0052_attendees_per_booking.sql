ALTER TABLE `organizations` ADD `attendees_per_booking` integer;--> statement-breakpoint
DROP TRIGGER organizations_version;--> statement-breakpoint
CREATE TRIGGER organizations_version AFTER UPDATE OF tier, suspended_at, owner_user_id, default_calendar_connection_id,
  bookings_per_network_hour, pending_per_network, active_per_email, waiting_per_email, attendees_per_booking ON organizations
BEGIN
  UPDATE organizations SET live_version = live_version + 1, test_version = test_version + 1 WHERE id = NEW.id;
END;--> statement-breakpoint
-- Sessions whose host left the organization before: nobody is their host until the next who comes gives them one.
UPDATE sessions SET assigned_host = NULL
WHERE assigned_host IS NOT NULL AND NOT EXISTS (SELECT 1 FROM members WHERE id = sessions.assigned_host ->> 'member_id');
