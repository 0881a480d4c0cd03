CREATE TABLE `report_days` (
	`organization_id` text NOT NULL,
	`is_test` integer NOT NULL,
	`day` integer NOT NULL,
	`event_type_id` text NOT NULL,
	`member_id` text NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`organization_id`, `is_test`, `day`, `event_type_id`, `member_id`)
) STRICT, WITHOUT ROWID;
--> statement-breakpoint
-- What was booked before is counted here once.
INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
SELECT organization_id, is_test, day, event_type_id, member_id, json_group_object(key, json(numbers))
FROM (
  SELECT organization_id, is_test, start_time / 86400000 AS day, event_type_id, coalesce(assigned_host_id, '') AS member_id,
    ((start_time % 86400000) / 900000) || '/' || status AS key,
    json_array(count(*), sum((end_time - start_time) / 60000), sum(no_shows)) AS numbers
  FROM bookings GROUP BY 1, 2, 3, 4, 5, 6
  UNION ALL
  SELECT b.organization_id, b.is_test, b.start_time / 86400000, b.event_type_id, coalesce(b.assigned_host_id, ''),
    ((b.start_time % 86400000) / 900000) || '/' || b.status || '/' || p.currency, sum(p.amount - p.refunded_amount - p.lost_amount)
  FROM payments p JOIN bookings b ON b.id = p.booking_id
  WHERE p.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')
  GROUP BY 1, 2, 3, 4, 5, 6
)
GROUP BY organization_id, is_test, day, event_type_id, member_id;
--> statement-breakpoint
CREATE TRIGGER bookings_report_insert AFTER INSERT ON bookings
BEGIN
  INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
  VALUES (NEW.organization_id, NEW.is_test, NEW.start_time / 86400000, NEW.event_type_id, coalesce(NEW.assigned_host_id, ''),
    json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(1, (NEW.end_time - NEW.start_time) / 60000, NEW.no_shows)))
  ON CONFLICT DO UPDATE SET counts = json_patch(counts, json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[0]'), 0) + 1,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[1]'), 0) + (NEW.end_time - NEW.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[2]'), 0) + NEW.no_shows)));
END;
--> statement-breakpoint
CREATE TRIGGER bookings_report_change AFTER UPDATE OF end_time, no_shows ON bookings
WHEN OLD.start_time / 86400000 = NEW.start_time / 86400000 AND OLD.assigned_host_id IS NEW.assigned_host_id AND OLD.start_time / 900000 = NEW.start_time / 900000 AND OLD.status = NEW.status
  AND (OLD.end_time - OLD.start_time <> NEW.end_time - NEW.start_time OR OLD.no_shows <> NEW.no_shows)
BEGIN
  UPDATE report_days SET counts = json_patch(counts, json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[0]'), 0),
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[1]'), 0) + (NEW.end_time - NEW.start_time) / 60000 - (OLD.end_time - OLD.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[2]'), 0) + NEW.no_shows - OLD.no_shows)))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.start_time / 86400000
    AND event_type_id = NEW.event_type_id AND member_id = coalesce(NEW.assigned_host_id, '');
END;
--> statement-breakpoint
-- Within one day and host a change writes one row.
CREATE TRIGGER bookings_report_restate AFTER UPDATE OF status, start_time ON bookings
WHEN OLD.start_time / 86400000 = NEW.start_time / 86400000 AND OLD.assigned_host_id IS NEW.assigned_host_id AND NOT (OLD.start_time / 900000 = NEW.start_time / 900000 AND OLD.status = NEW.status)
BEGIN
  UPDATE report_days SET counts = json_patch(counts, json_object(
    ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status, json(iif(coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[0]'), 0) > 1, json_array(
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[0]'), 0) - 1,
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[1]'), 0) - (OLD.end_time - OLD.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[2]'), 0) - OLD.no_shows), NULL)),
    ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[0]'), 0) + 1,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[1]'), 0) + (NEW.end_time - NEW.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[2]'), 0) + NEW.no_shows)))
  WHERE organization_id = NEW.organization_id AND is_test = NEW.is_test AND day = NEW.start_time / 86400000
    AND event_type_id = NEW.event_type_id AND member_id = coalesce(NEW.assigned_host_id, '');
END;
--> statement-breakpoint
CREATE TRIGGER bookings_report_move AFTER UPDATE OF start_time, assigned_host_id ON bookings
WHEN NOT (OLD.start_time / 86400000 = NEW.start_time / 86400000 AND OLD.assigned_host_id IS NEW.assigned_host_id)
BEGIN
  UPDATE report_days SET counts = json_patch(counts, json_object(((OLD.start_time % 86400000) / 900000) || '/' || OLD.status, json(iif(coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[0]'), 0) > 1, json_array(
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[0]'), 0) - 1,
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[1]'), 0) - (OLD.end_time - OLD.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '"[2]'), 0) - OLD.no_shows), NULL))))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.start_time / 86400000
    AND event_type_id = OLD.event_type_id AND member_id = coalesce(OLD.assigned_host_id, '');
  INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
  VALUES (NEW.organization_id, NEW.is_test, NEW.start_time / 86400000, NEW.event_type_id, coalesce(NEW.assigned_host_id, ''),
    json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(1, (NEW.end_time - NEW.start_time) / 60000, NEW.no_shows)))
  ON CONFLICT DO UPDATE SET counts = json_patch(counts, json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status, json_array(
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[0]'), 0) + 1,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[1]'), 0) + (NEW.end_time - NEW.start_time) / 60000,
      coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '"[2]'), 0) + NEW.no_shows)));
END;
--> statement-breakpoint
CREATE TRIGGER bookings_report_money AFTER UPDATE OF status, start_time, assigned_host_id ON bookings
WHEN NEW.payment IS NOT NULL AND NOT (OLD.start_time / 86400000 = NEW.start_time / 86400000 AND OLD.assigned_host_id IS NEW.assigned_host_id AND OLD.start_time / 900000 = NEW.start_time / 900000 AND OLD.status = NEW.status)
  AND EXISTS (SELECT 1 FROM payments WHERE booking_id = NEW.id AND status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost'))
BEGIN
  UPDATE report_days SET counts = json_patch(counts, json_object(((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '/' || (SELECT currency FROM payments WHERE booking_id = NEW.id),
    nullif(coalesce(counts ->> ('$."' || ((OLD.start_time % 86400000) / 900000) || '/' || OLD.status || '/' || (SELECT currency FROM payments WHERE booking_id = NEW.id) || '"'), 0) + -(SELECT amount - refunded_amount - lost_amount FROM payments WHERE booking_id = NEW.id), 0)))
  WHERE organization_id = OLD.organization_id AND is_test = OLD.is_test AND day = OLD.start_time / 86400000
    AND event_type_id = OLD.event_type_id AND member_id = coalesce(OLD.assigned_host_id, '');
  INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
  SELECT NEW.organization_id, NEW.is_test, NEW.start_time / 86400000, NEW.event_type_id, coalesce(NEW.assigned_host_id, ''),
    json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '/' || currency, amount - refunded_amount - lost_amount)
  FROM payments WHERE booking_id = NEW.id
  ON CONFLICT DO UPDATE SET counts = json_patch(counts, json_object(((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '/' || (SELECT currency FROM payments WHERE booking_id = NEW.id),
    nullif(coalesce(counts ->> ('$."' || ((NEW.start_time % 86400000) / 900000) || '/' || NEW.status || '/' || (SELECT currency FROM payments WHERE booking_id = NEW.id) || '"'), 0) + (SELECT amount - refunded_amount - lost_amount FROM payments WHERE booking_id = NEW.id), 0)));
END;
--> statement-breakpoint
CREATE TRIGGER payments_report_insert AFTER INSERT ON payments
WHEN (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount) <> 0
BEGIN
  INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
  SELECT organization_id, is_test, start_time / 86400000, event_type_id, coalesce(assigned_host_id, ''),
    json_object(((start_time % 86400000) / 900000) || '/' || status || '/' || NEW.currency, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount))
  FROM bookings WHERE id = NEW.booking_id
  ON CONFLICT DO UPDATE SET counts = json_patch(counts, json_object((SELECT ((start_time % 86400000) / 900000) || '/' || status FROM bookings WHERE id = NEW.booking_id) || '/' || NEW.currency,
    nullif(coalesce(counts ->> ('$."' || (SELECT ((start_time % 86400000) / 900000) || '/' || status FROM bookings WHERE id = NEW.booking_id) || '/' || NEW.currency || '"'), 0) + ((NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount)), 0)));
END;
--> statement-breakpoint
CREATE TRIGGER payments_report_change AFTER UPDATE OF status, refunded_amount, lost_amount ON payments
WHEN (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount)
  <> (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.amount - OLD.refunded_amount - OLD.lost_amount)
BEGIN
  INSERT INTO report_days (organization_id, is_test, day, event_type_id, member_id, counts)
  SELECT organization_id, is_test, start_time / 86400000, event_type_id, coalesce(assigned_host_id, ''),
    json_object(((start_time % 86400000) / 900000) || '/' || status || '/' || NEW.currency, (NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.amount - OLD.refunded_amount - OLD.lost_amount))
  FROM bookings WHERE id = NEW.booking_id
  ON CONFLICT DO UPDATE SET counts = json_patch(counts, json_object((SELECT ((start_time % 86400000) / 900000) || '/' || status FROM bookings WHERE id = NEW.booking_id) || '/' || NEW.currency,
    nullif(coalesce(counts ->> ('$."' || (SELECT ((start_time % 86400000) / 900000) || '/' || status FROM bookings WHERE id = NEW.booking_id) || '/' || NEW.currency || '"'), 0) + ((NEW.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (NEW.amount - NEW.refunded_amount - NEW.lost_amount)
      - (OLD.status IN ('succeeded', 'refunded', 'partially_refunded', 'disputed', 'dispute_lost')) * (OLD.amount - OLD.refunded_amount - OLD.lost_amount)), 0)));
END;
