-- delete idempotency_keys_previous c11d269f75 (ports)
WITH moved AS (DELETE FROM idempotency_keys_previous WHERE key = ANY ($1::text[]) RETURNING *) INSERT INTO idempotency_keys (key, sealed_response, lease, leased_until, created_at, owning_business_id) SELECT key, sealed_response, lease, leased_until, created_at, owning_business_id FROM moved ON CONFLICT (key) DO NOTHING

-- delete idempotency_keys_previous d408172ba9 (ports, requests)
WITH moved AS (DELETE FROM idempotency_keys_previous WHERE key = $1 RETURNING *), previous AS (SELECT *, created_at > $2 AS is_stored FROM moved) INSERT INTO idempotency_keys AS k (key, sealed_response, lease, leased_until, created_at, owning_business_id) SELECT $3, CASE WHEN is_stored THEN sealed_response ELSE '' END, CASE WHEN is_stored THEN lease ELSE coalesce(lease + 1, 0) END, CASE WHEN is_stored THEN leased_until END, CASE WHEN is_stored THEN created_at ELSE $4 END, CASE WHEN is_stored THEN owning_business_id END FROM (SELECT) one_row LEFT JOIN previous ON true ON CONFLICT (key) DO UPDATE SET sealed_response = '', created_at = $5, leased_until = NULL, lease = k.lease + 1 WHERE k.created_at <= $6 RETURNING sealed_response, lease, leased_until, pg_current_xact_id()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark

-- drop idempotency_keys_previous bd53e114f2 (commands)
DROP TABLE idempotency_keys_previous
