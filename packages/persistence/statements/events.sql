-- insert events 74a4f6b0c2 (ports, requests)
INSERT INTO events ("business_id","event_id","event_type","body","sample") VALUES ($1,$2,$3,$4,$5)

-- insert events 9db070e228 (ports, requests)
WITH event AS ( INSERT INTO events (business_id, event_id, event_type, body, trace_parent) SELECT $1::bigint, $2::text, $3::text, $4::text, $5::text RETURNING business_id, event_id, event_type, sequence ), deliveries AS ( INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type) SELECT event.business_id, e.endpoint_id, event.event_id, event.event_type FROM event, webhook_endpoints e WHERE e.business_id = $6 AND e.status = 'enabled' AND e.deleted_at IS NULL AND event.event_type = ANY (e.events) RETURNING delivery_id ) SELECT EXISTS (SELECT FROM deliveries) AS has_deliveries, pg_current_xact_id()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark

-- insert events cac36103ef (ports, requests)
WITH event AS ( INSERT INTO events (business_id, event_id, event_type, body, trace_parent) SELECT $1::bigint, given.event_id::text, given.event_type::text, given.body, $2::text FROM unnest($3::text[], $4::text[], $5::text[]) AS given (event_id, event_type, body) RETURNING business_id, event_id, event_type, sequence ), deliveries AS ( INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type) SELECT event.business_id, e.endpoint_id, event.event_id, event.event_type FROM event, webhook_endpoints e WHERE e.business_id = $6 AND e.status = 'enabled' AND e.deleted_at IS NULL AND event.event_type = ANY (e.events) ORDER BY event.sequence RETURNING delivery_id ) SELECT EXISTS (SELECT FROM deliveries) AS has_deliveries, pg_current_xact_id()::text || '/' || extract(epoch FROM pg_postmaster_start_time())::text AS transaction_mark

-- select events 861c7da48a (ports)
SELECT count(*)::int AS events, coalesce(extract(epoch FROM clock_timestamp() - min(e.created_at)), 0)::float8 AS oldest_seconds FROM ( SELECT created_at FROM events WHERE position IS NULL AND NOT sample LIMIT $1 ) e

-- select events b038549eaa (commands)
SELECT EXISTS (SELECT 1 FROM events) AS holds

-- select events b897837ad1 (ports)
SELECT 'body' AS kind, c.business_id, v.event_id, v.event_type, v.body, v.trace_parent, NULL::bigint AS endpoint_id, NULL AS url, NULL AS sealed_secret, NULL::json AS retired_secrets FROM unnest( $1::bigint[], $2::text[] ) AS c (business_id, event_id) CROSS JOIN LATERAL ( SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM events v WHERE v.business_id = c.business_id AND v.event_id = c.event_id UNION ALL SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM event_history v WHERE v.business_id = c.business_id AND v.event_id = c.event_id LIMIT 1 ) v UNION ALL SELECT 'endpoint', c.business_id, NULL, NULL, NULL, NULL, e.endpoint_id, e.url, e.sealed_secret, e.retired_secrets FROM unnest( $3::bigint[], $4::bigint[] ) AS c (business_id, endpoint_id) CROSS JOIN LATERAL ( SELECT e.endpoint_id, e.url, e.sealed_secret, CASE WHEN e.retired_secrets = '[]' THEN '[]'::json ELSE ( SELECT coalesce(json_agg(s.secret ->> 'sealed' ORDER BY s.nth), '[]') FROM jsonb_array_elements(e.retired_secrets) WITH ORDINALITY AS s (secret, nth) WHERE (s.secret ->> 'until')::timestamptz > clock_timestamp() ) END AS retired_secrets FROM webhook_endpoints e WHERE e.business_id = c.business_id AND e.endpoint_id = c.endpoint_id AND e.status = 'enabled' LIMIT 1 ) e

-- select events f7265f3d6d (ports, requests)
SELECT e.body, e.position, feed.has_unpositioned, feed.dropped_position FROM (SELECT EXISTS (SELECT FROM events WHERE business_id = $1 AND position IS NULL AND NOT sample) AS has_unpositioned, coalesce((SELECT dropped_position FROM event_feeds WHERE business_id = $2), 0) AS dropped_position) feed LEFT JOIN LATERAL ( SELECT body, position FROM event_history WHERE business_id = $3 AND position > $4::bigint ORDER BY position LIMIT $5 ) e ON true ORDER BY e.position
