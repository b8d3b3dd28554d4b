-- declare trip_templates 55234fdd6f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "template_id", "name", "trip", "created_at", "updated_at" FROM trip_templates WHERE business_id = 1 ORDER BY template_id ) t

-- delete trip_templates 8b4ac21f7e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM trip_templates WHERE business_id = $1 AND template_id = $2

-- insert trip_templates 71d7e8c252 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_templates (business_id, name, trip, created_at, updated_at) SELECT $1::bigint, $2::text, $3::jsonb, $4::timestamptz, $5::timestamptz WHERE (SELECT count(*) FROM trip_templates WHERE business_id = $6) < $7 RETURNING template_id, name, trip, created_at, updated_at

-- insert trip_templates e3ef4ab0fc (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_templates AS t ("business_id", "template_id", "name", "trip", "created_at", "updated_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "template_id", "name", "trip", "created_at", "updated_at" FROM jsonb_populate_recordset(NULL::trip_templates, $1::jsonb) ON CONFLICT ("business_id", "template_id") DO UPDATE SET "name" = EXCLUDED."name", "trip" = EXCLUDED."trip", "created_at" = EXCLUDED."created_at", "updated_at" = EXCLUDED."updated_at" WHERE (t."name", t."trip", t."created_at", t."updated_at") IS DISTINCT FROM (EXCLUDED."name", EXCLUDED."trip", EXCLUDED."created_at", EXCLUDED."updated_at")

-- select trip_templates 0ff69fa70c (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("template_id") AS highest FROM trip_templates WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.trip_templates_template_id_seq'::regclass), 0)

-- select trip_templates 1506da0c54 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM trip_templates WHERE business_id = 5

-- select trip_templates 488f593cbf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT template_id, name, trip, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM trip_templates WHERE business_id = $1 LIMIT $2) c) AS total FROM trip_templates WHERE business_id = $3 ORDER BY name COLLATE "C", template_id LIMIT $4 OFFSET $5

-- select trip_templates 4c0f108d2e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT template_id, name, trip, created_at, updated_at FROM trip_templates WHERE business_id = $1 AND template_id = $2 FOR UPDATE

-- select trip_templates 9dd450019a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT template_id, name, trip, created_at, updated_at FROM trip_templates WHERE business_id = $1 AND template_id = $2

-- select trip_templates aa857f6b59 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "template_id", "name", "trip", "created_at", "updated_at" FROM trip_templates WHERE business_id = 1) t

-- update trip_templates d8770912d5 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_templates SET name = coalesce($1, name), trip = coalesce($2::jsonb, trip), updated_at = $3 WHERE business_id = $4 AND template_id = $5 RETURNING template_id, name, trip, created_at, updated_at
