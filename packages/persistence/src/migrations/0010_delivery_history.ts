/**
 * A delivery carries what was tried for it, and is found through its endpoint: every delivery is written three times,
 * and each index, each row beside it and each check of a key between them was paid for three times over.
 */
export const deliveryHistory = `
ALTER TABLE webhook_deliveries ADD COLUMN attempts jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(attempts) = 'array');
COMMENT ON COLUMN webhook_deliveries.attempts IS 'The attempts whose end is known, the first one first, each as the delivery record shows it.';

UPDATE webhook_deliveries d SET attempts = tried.attempts
FROM (
  SELECT business_id, delivery_id, jsonb_agg(jsonb_build_object(
    'attempt', attempt, 'started_at', to_char(started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
    'duration_ms', duration_ms, 'response_status', response_status, 'error', error) ORDER BY attempt) AS attempts
  FROM webhook_attempts GROUP BY business_id, delivery_id
) tried
WHERE d.business_id = tried.business_id AND d.delivery_id = tried.delivery_id;
DROP TABLE webhook_attempts;

ALTER TABLE webhook_deliveries
  DROP CONSTRAINT webhook_deliveries_pkey,
  ADD PRIMARY KEY (business_id, endpoint_id, delivery_id);
DROP INDEX webhook_deliveries_by_endpoint;
`
