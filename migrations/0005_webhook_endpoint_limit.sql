-- At most 50 endpoints per organization, live and test together, however many are being made at once.
CREATE TRIGGER webhook_endpoints_limit BEFORE INSERT ON webhook_endpoints
WHEN (SELECT count(*) FROM webhook_endpoints WHERE organization_id = NEW.organization_id) >= 50
BEGIN
  SELECT RAISE(ABORT, 'ENDPOINTS_FULL');
END;
