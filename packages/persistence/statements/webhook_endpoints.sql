-- insert webhook_endpoints d82a0ef4e3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO webhook_endpoints (business_id, url, events, sealed_secret, created_at, updated_at) SELECT $1, $2, $3::text[], $4, now, now FROM clock_timestamp() AS now WHERE (SELECT count(*) FROM webhook_endpoints WHERE business_id = $5 AND deleted_at IS NULL) < $6::int RETURNING endpoint_id, business_id, url, events, status, created_at, updated_at

-- select webhook_endpoints 0be5a44814 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT d.endpoint_id, d.event_id, d.event_type FROM ( SELECT d.*, e.status AS endpoint_status FROM webhook_endpoints e CROSS JOIN LATERAL ( SELECT * FROM webhook_delivery_history d WHERE d.business_id = $1 AND d.endpoint_id = e.endpoint_id AND d.delivery_id = $2 LIMIT 1 ) d WHERE e.business_id = $3 AND e.deleted_at IS NULL) d WHERE d.status = 'failed' AND d.endpoint_status = 'enabled' AND EXISTS ( SELECT FROM event_history v WHERE v.business_id = $4 AND v.event_id = d.event_id)

-- select webhook_endpoints 2199706ff4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT sealed_secret, retired_secrets FROM webhook_endpoints WHERE business_id = $1::bigint AND endpoint_id = $2::bigint AND deleted_at IS NULL FOR NO KEY UPDATE

-- select webhook_endpoints 2c4c9be624 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT endpoint_id, events FROM webhook_endpoints WHERE business_id = $1 AND status = 'enabled' AND deleted_at IS NULL AND events && $2::text[] ORDER BY endpoint_id

-- select webhook_endpoints 3c76418b80 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int AS count FROM webhook_endpoints WHERE deleted_at IS NULL

-- select webhook_endpoints 53f455bdf7 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id::text, endpoint_id::text FROM webhook_endpoints WHERE deleted_at IS NULL AND (business_id, endpoint_id) > ($1::bigint, $2::bigint) ORDER BY webhook_endpoints.business_id, webhook_endpoints.endpoint_id LIMIT $3

-- select webhook_endpoints 69aeeebb6b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT jsonb_build_array(jsonb_build_object( 'sealed', sealed_secret, 'until', statement_timestamp() + make_interval(hours => $1::int) )) || coalesce(( SELECT jsonb_agg(s.secret ORDER BY s.nth) FROM jsonb_array_elements(retired_secrets) WITH ORDINALITY AS s (secret, nth) WHERE (s.secret ->> 'until')::timestamptz > statement_timestamp() ), '[]') AS retired FROM webhook_endpoints WHERE business_id = $2 AND endpoint_id = $3 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select webhook_endpoints 6d494f7409 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT endpoint_id, business_id, url, events, status, created_at, updated_at FROM webhook_endpoints WHERE business_id = $1 AND endpoint_id = $2 AND deleted_at IS NULL

-- select webhook_endpoints b5b0a15b4e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT endpoint_id, business_id, url, events, status, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM webhook_endpoints WHERE business_id = $1 AND deleted_at IS NULL LIMIT $2) c) AS total FROM webhook_endpoints WHERE business_id = $3 AND deleted_at IS NULL ORDER BY endpoint_id LIMIT $4 OFFSET $5

-- select webhook_endpoints c9fbe37433 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT e.endpoint_id FROM webhook_endpoints e WHERE e.business_id = $1 AND e.endpoint_id = $2 AND e.status = 'enabled'

-- select webhook_endpoints ce9df1d2da (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT endpoint_id, business_id, url, events, status, created_at, updated_at FROM webhook_endpoints WHERE business_id = $1 AND endpoint_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select webhook_endpoints f21e0ebec5 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT item.endpoint_id, to_json(item) AS record FROM ( SELECT d.endpoint_id, d.delivery_id, d.event_id, d.event_type, d.status, d.attempt, CASE WHEN d.claim_id IS NULL THEN to_char(d.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END AS next_attempt_at, d.last_error, d.response_status, to_char(d.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_at, d.attempts FROM ( SELECT d.*, e.status AS endpoint_status FROM webhook_endpoints e CROSS JOIN LATERAL ( SELECT * FROM webhook_delivery_history d WHERE d.business_id = $1 AND d.endpoint_id = e.endpoint_id AND d.delivery_id = $2 LIMIT 1 ) d WHERE e.business_id = $3 AND e.deleted_at IS NULL) d) item

-- update webhook_endpoints a22a6c1994 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE webhook_endpoints SET sealed_secret = $1, retired_secrets = $2::jsonb WHERE business_id = $3::bigint AND endpoint_id = $4::bigint

-- update webhook_endpoints c1f0f781cc (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE webhook_endpoints SET url = $1, events = $2::text[], status = $3, updated_at = statement_timestamp() WHERE business_id = $4 AND endpoint_id = $5 AND deleted_at IS NULL RETURNING endpoint_id, business_id, url, events, status, created_at, updated_at

-- update webhook_endpoints c393f31d9d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE webhook_endpoints SET sealed_secret = $1, retired_secrets = $2::jsonb, updated_at = statement_timestamp() WHERE business_id = $3 AND endpoint_id = $4 AND deleted_at IS NULL RETURNING endpoint_id, business_id, url, events, status, created_at, updated_at

-- update webhook_endpoints d1fb9baa8c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE webhook_endpoints SET status = 'disabled', sealed_secret = '', retired_secrets = '[]', deleted_at = now, updated_at = now FROM statement_timestamp() AS now WHERE business_id = $1 AND endpoint_id = $2 AND deleted_at IS NULL
