-- The id of an event's first delivery to an endpoint is made of both ids, so no index is needed to find a second one.
DROP INDEX `webhook_deliveries_once`;
--> statement-breakpoint
-- The Worker before makes other ids: the delivery of the event is looked for among those since it happened.
CREATE TRIGGER webhook_deliveries_once BEFORE INSERT ON webhook_deliveries
WHEN NEW.status = 'pending' AND NEW.retry_of IS NULL
BEGIN
  SELECT RAISE(IGNORE) FROM webhook_deliveries known
  WHERE known.endpoint_id = NEW.endpoint_id AND known.status IN ('pending', 'success', 'failed', 'retried')
    AND known.id >= substr(NEW.event_id, 1, 13) AND known.event_id = NEW.event_id AND known.retry_of IS NULL;
END;
