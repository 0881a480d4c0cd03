CREATE TABLE `former_hosts` (
	`event_type_id` text NOT NULL,
	`member_id` text NOT NULL,
	PRIMARY KEY(`event_type_id`, `member_id`)
) STRICT;
--> statement-breakpoint
CREATE INDEX `former_hosts_member` ON `former_hosts` (`member_id`);--> statement-breakpoint
INSERT INTO former_hosts (event_type_id, member_id)
SELECT DISTINCT b.event_type_id, one.value ->> 'member_id' FROM bookings b JOIN json_each(b.co_hosts) one
WHERE b.co_hosts IS NOT NULL AND NOT EXISTS (SELECT 1 FROM event_type_hosts h
  WHERE h.event_type_id = b.event_type_id AND h.member_id = one.value ->> 'member_id');
