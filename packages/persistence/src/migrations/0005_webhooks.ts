/**
 * Webhooks that are tended: endpoints that are deleted and leave their history, secrets that are replaced, deliveries
 * that are cut off by a disabled endpoint while an attempt is under way, samples, and the lists of what failed.
 */
export const webhooks = `
ALTER TABLE webhook_endpoints
  ADD COLUMN retired_secrets jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN deleted_at timestamptz,
  ADD CONSTRAINT webhook_endpoints_deleted_is_disabled CHECK (deleted_at IS NULL OR status = 'disabled');
COMMENT ON COLUMN webhook_endpoints.retired_secrets IS 'Former secrets, [{sealed, until}], the youngest first; until then they sign too.';
COMMENT ON COLUMN webhook_endpoints.deleted_at IS 'Out of sight since then; the row stays for the deliveries that point to it.';
CREATE INDEX webhook_endpoints_in_use ON webhook_endpoints (business_id, endpoint_id) WHERE deleted_at IS NULL;

ALTER TABLE events ADD COLUMN sample boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN events.sample IS 'Sent as a test: nothing happened, and no list of events shows it.';

ALTER TABLE webhook_deliveries
  ADD COLUMN cancelled_at timestamptz,
  DROP CONSTRAINT webhook_deliveries_check1,
  ADD CONSTRAINT webhook_deliveries_claim_of_open CHECK (claim_id IS NULL OR status = 'pending' OR cancelled_at IS NOT NULL);
COMMENT ON COLUMN webhook_deliveries.cancelled_at IS 'When its endpoint was disabled or deleted while it was pending; a claim that stands then may still tell how its attempt ended.';
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (business_id, endpoint_id, delivery_id DESC) WHERE status = 'failed';
`
