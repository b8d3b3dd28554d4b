-- insert events 2114c9f5da (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO events ("business_id","event_id","event_type","body","trace_parent") VALUES ($1,$2,$3,$4,$5)

-- insert events 74a4f6b0c2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO events ("business_id","event_id","event_type","body","sample") VALUES ($1,$2,$3,$4,$5)

-- select events 1c36c09d3a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM events LIMIT 1) AS holds

-- select events 4825ba8892 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT rtrim(e.body, ' ') AS body, e.position, feed.has_unpositioned, feed.dropped_position FROM (SELECT (to_regclass('pg_dist_partition') IS NULL AND EXISTS ( SELECT FROM events WHERE business_id = $1 AND position IS NULL AND NOT sample)) AS has_unpositioned, coalesce((SELECT dropped_position FROM event_feeds WHERE business_id = $2), 0) AS dropped_position) feed LEFT JOIN LATERAL ( SELECT body, position FROM event_history WHERE business_id = $3 AND position > $4::bigint ORDER BY position LIMIT $5 ) e ON true ORDER BY e.position

-- select events 861c7da48a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int AS events, coalesce(extract(epoch FROM clock_timestamp() - min(e.created_at)), 0)::float8 AS oldest_seconds FROM ( SELECT created_at FROM events WHERE position IS NULL AND NOT sample LIMIT $1 ) e

-- select events e785ba3992 (ports), refused: complex joins are only supported when all distributed tables are co-located and joined on their distribution columns
-- select events b038549eaa (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM events) AS holds

-- select events e785ba3992 (ports)
SELECT 'body' AS kind, c.business_id, v.event_id, v.event_type, rtrim(v.body, ' ') AS body, v.trace_parent, NULL::bigint AS endpoint_id, NULL AS url, NULL AS sealed_secret, NULL::json AS retired_secrets FROM unnest( $1::bigint[], $2::text[] ) AS c (business_id, event_id) CROSS JOIN LATERAL ( SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM events v WHERE v.business_id = c.business_id AND v.event_id = c.event_id UNION ALL SELECT v.event_id, v.event_type, v.body, v.trace_parent FROM event_history v WHERE v.business_id = c.business_id AND v.event_id = c.event_id LIMIT 1 ) v UNION ALL SELECT 'endpoint', c.business_id, NULL, NULL, NULL, NULL, e.endpoint_id, e.url, e.sealed_secret, e.retired_secrets FROM unnest( $3::bigint[], $4::bigint[] ) AS c (business_id, endpoint_id) CROSS JOIN LATERAL ( SELECT e.endpoint_id, e.url, e.sealed_secret, CASE WHEN e.retired_secrets = '[]' THEN '[]'::json ELSE ( SELECT coalesce(json_agg(s.secret ->> 'sealed' ORDER BY s.nth), '[]') FROM jsonb_array_elements(e.retired_secrets) WITH ORDINALITY AS s (secret, nth) WHERE (s.secret ->> 'until')::timestamptz > clock_timestamp() ) END AS retired_secrets FROM webhook_endpoints e WHERE e.business_id = c.business_id AND e.endpoint_id = c.endpoint_id AND e.status = 'enabled' LIMIT 1 ) e
