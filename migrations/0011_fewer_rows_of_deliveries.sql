DROP INDEX `webhook_deliveries_over`;
--> statement-breakpoint
WITH queued AS (
  SELECT organization_id, is_test, created_at / 86400000 AS day, count(*) AS number FROM (
    SELECT organization_id, is_test, created_at FROM webhook_deliveries WHERE status = 'pending' AND tell_again_at IS NULL
    UNION ALL SELECT organization_id, is_test, created_at FROM webhook_deliveries WHERE status = 'pending' AND tell_again_at IS NOT NULL)
  GROUP BY 1, 2, 3)
UPDATE usage_days SET deliveries = deliveries - queued.number FROM queued
WHERE usage_days.organization_id = queued.organization_id AND usage_days.is_test = queued.is_test AND usage_days.day = queued.day;
--> statement-breakpoint
DROP TRIGGER webhook_deliveries_usage_insert;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_usage_insert AFTER INSERT ON webhook_deliveries
WHEN NEW.status <> 'pending'
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, deliveries, arrived, given_up)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, 1, NEW.status = 'success', NEW.status IN ('failed', 'retried'))
  ON CONFLICT DO UPDATE SET deliveries = deliveries + 1, arrived = arrived + excluded.arrived, given_up = given_up + excluded.given_up;
END;
--> statement-breakpoint
DROP TRIGGER webhook_deliveries_usage_change;
--> statement-breakpoint
CREATE TRIGGER webhook_deliveries_usage_change AFTER UPDATE OF status ON webhook_deliveries
WHEN (OLD.status = 'pending') <> (NEW.status = 'pending') OR (OLD.status = 'success') <> (NEW.status = 'success')
BEGIN
  INSERT INTO usage_days (organization_id, is_test, day, deliveries, arrived, given_up)
  VALUES (NEW.organization_id, NEW.is_test, NEW.created_at / 86400000, (OLD.status = 'pending') - (NEW.status = 'pending'),
    (NEW.status = 'success') - (OLD.status = 'success'), (NEW.status IN ('failed', 'retried')) - (OLD.status IN ('failed', 'retried')))
  ON CONFLICT DO UPDATE SET deliveries = deliveries + excluded.deliveries, arrived = arrived + excluded.arrived, given_up = given_up + excluded.given_up;
END;
