-- declare trip_changes b2d258c19a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "trip_id", "change_id", "at", "actor", "change", "driver_id", "before", "after" FROM trip_changes WHERE business_id = 1 ORDER BY trip_id, change_id ) t

-- insert trip_changes 26aeda6da7 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_changes AS t ("business_id", "trip_id", "change_id", "at", "actor", "change", "driver_id", "before", "after") OVERRIDING SYSTEM VALUE SELECT "business_id", "trip_id", "change_id", "at", regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:'), "change", "driver_id", "before", "after" FROM jsonb_populate_recordset(NULL::trip_changes, $1::jsonb) ON CONFLICT ("business_id", "trip_id", "change_id") DO UPDATE SET "at" = EXCLUDED."at", "actor" = EXCLUDED."actor", "change" = EXCLUDED."change", "driver_id" = EXCLUDED."driver_id", "before" = EXCLUDED."before", "after" = EXCLUDED."after" WHERE (t."at", t."actor", t."change", t."driver_id", t."before", t."after") IS DISTINCT FROM (EXCLUDED."at", EXCLUDED."actor", EXCLUDED."change", EXCLUDED."driver_id", EXCLUDED."before", EXCLUDED."after")

-- insert trip_changes 3e88efd103 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_changes ("business_id","trip_id","at","actor","change","driver_id","after") VALUES ($1,$2,$3,$4,$5,$6,$7)

-- insert trip_changes e1d0448949 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_changes ("business_id","trip_id","at","actor","change","driver_id","before","after") VALUES ($1,$2,$3,$4,$5,$6,$7,$8)

-- insert trip_changes f7dc087bcf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_changes ("business_id","trip_id","at","actor","change","after") VALUES ($1,$2,$3,$4,$5,$6)

-- select trip_changes 23f557914b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.*, (SELECT count(*) AS total FROM (SELECT FROM trip_changes WHERE business_id = $1 AND trip_id = $2 LIMIT $3) c) AS total FROM (SELECT FROM trips WHERE business_id = $4 AND trip_id = $5 AND deleted_at IS NULL) t LEFT JOIN LATERAL ( SELECT e.change_id, e.at, e.actor, CASE split_part(e.actor, ':', 1) WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.user_id = split_part(e.actor, ':', 2)::bigint) WHEN 'driver' THEN ( SELECT d.name FROM drivers d WHERE d.business_id = $6::bigint AND d.driver_id = split_part(e.actor, ':', 2)::bigint) WHEN 'api_key' THEN ( SELECT u.name FROM api_keys k JOIN users u ON u.user_id = k.created_by WHERE k.business_id = $7::bigint AND k.masked_key = split_part(e.actor, ':', 2) LIMIT 1) END AS actor_name, e.change, e.driver_id, e.before, e.after FROM trip_changes e WHERE business_id = $8 AND trip_id = $9 ORDER BY change_id LIMIT $10 OFFSET $11) c ON true ORDER BY c.change_id

-- select trip_changes 2d266722d9 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "trip_id", "change_id", "at", regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:'), "change", "driver_id", "before", "after" FROM trip_changes WHERE business_id = 1) t

-- select trip_changes 39909ef3ba (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT last_key::text FROM (SELECT r.trip_id || '.' || r.change_id AS last_key, r.trip_id, r.change_id FROM trip_changes r WHERE r.business_id = $1 AND (r.trip_id, r.change_id) > ($2::bigint, $3::bigint)) k ORDER BY trip_id, change_id LIMIT 1 OFFSET $4

-- select trip_changes 3fdccc83f2 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT a.en_route_at AS at, coalesce( (SELECT c.at FROM trip_changes c WHERE c.business_id = $1 AND c.trip_id = a.trip_id AND c.driver_id = a.driver_id AND c.change = 'driver_status_changed' AND c.after->>'status' = 'en_route' ORDER BY c.change_id DESC LIMIT 1), a.en_route_at) AS heard_at FROM assignments a WHERE a.business_id = $2 AND a.assignment_id = $3 AND a.en_route_at IS NOT NULL

-- select trip_changes 8a72df1d77 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT r.trip_id || '.' || r.change_id AS key, json_build_object('driver_id', r.driver_id, 'before', r.before, 'after', r.after)::text AS text FROM trip_changes r WHERE r.business_id = $1 AND (r.trip_id, r.change_id) > ($2::bigint, $3::bigint) AND r.trip_id >= $4::bigint AND (lower((concat(r.before::text, r.after::text)) COLLATE "C") LIKE ANY ($5::text[]) OR ($6 AND (concat(r.before::text, r.after::text)) ~ ANY ($7::text[])) OR (r.driver_id = ANY ($8::bigint[]) AND r.change = 'milestone_reached') OR ($9 AND (r.before ->> 'customer_id' = ANY ($10::text[]) OR r.after ->> 'customer_id' = ANY ($11::text[]))))

-- select trip_changes bc7ecc2130 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM trip_changes WHERE business_id = 5

-- select trip_changes c5240b8d00 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("change_id") AS highest FROM trip_changes WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.trip_changes_change_id_seq'::regclass), 0)

-- update trip_changes 86d5208ac9 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_changes SET before = before - $1::text[], after = after - $2::text[] WHERE business_id = $3 AND trip_id = ANY ($4::bigint[]) AND (before ?| $5::text[] OR after ?| $6::text[])

-- update trip_changes 87e7b77b71 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_changes c SET before = erased.before::jsonb, after = erased.after::jsonb FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[]) AS erased (trip_id, change_id, before, after) WHERE c.business_id = $5 AND c.trip_id = erased.trip_id AND c.change_id = erased.change_id
