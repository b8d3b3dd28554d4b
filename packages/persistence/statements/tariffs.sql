-- declare tariffs 6db8adb941 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "tariff_id", "version", "name", "currency", "created_at", "updated_at", "deleted_at" FROM tariffs WHERE business_id = 1 ORDER BY tariff_id ) t

-- insert tariffs 2ab33e34c5 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO tariffs AS t ("business_id", "tariff_id", "version", "name", "currency", "created_at", "updated_at", "deleted_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "tariff_id", "version", "name", "currency", "created_at", "updated_at", "deleted_at" FROM jsonb_populate_recordset(NULL::tariffs, $1::jsonb) ON CONFLICT ("business_id", "tariff_id") DO UPDATE SET "version" = EXCLUDED."version", "name" = EXCLUDED."name", "currency" = EXCLUDED."currency", "created_at" = EXCLUDED."created_at", "updated_at" = EXCLUDED."updated_at", "deleted_at" = EXCLUDED."deleted_at" WHERE (t."version", t."name", t."currency", t."created_at", t."updated_at", t."deleted_at") IS DISTINCT FROM (EXCLUDED."version", EXCLUDED."name", EXCLUDED."currency", EXCLUDED."created_at", EXCLUDED."updated_at", EXCLUDED."deleted_at")

-- insert tariffs 36ad47da9f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO tariffs ("business_id","version","name","currency","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6) RETURNING tariff_id, version

-- select tariffs 12f3d39e25 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM tariffs WHERE business_id = 5

-- select tariffs 216bb4ee48 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.tariff_id, held.version, t.version AS latest FROM tariffs t CROSS JOIN LATERAL ( SELECT v.version FROM tariff_versions v WHERE v.business_id = $1 AND v.tariff_id = t.tariff_id AND (v.valid_from IS NULL OR v.valid_from <= $2) AND v.version <= $3 ORDER BY v.valid_from DESC NULLS LAST, v.version DESC LIMIT 1 ) held WHERE t.business_id = $4 AND t.deleted_at IS NULL AND t.tariff_id = $5 ORDER BY t.tariff_id LIMIT 1

-- select tariffs 451eb58bc3 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.tariff_id, held.version, t.version AS latest FROM tariffs t CROSS JOIN LATERAL ( SELECT v.version FROM tariff_versions v WHERE v.business_id = $1 AND v.tariff_id = t.tariff_id AND (v.valid_from IS NULL OR v.valid_from <= $2) ORDER BY v.valid_from DESC NULLS LAST, v.version DESC LIMIT 1 ) held WHERE t.business_id = $3 AND t.deleted_at IS NULL AND t.tariff_id = $4 ORDER BY t.tariff_id LIMIT 1

-- select tariffs 4b005906b1 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.tariff_id, t.business_id, t.version, v.valid_from AS valid_from, v.content AS content, t.created_at, t.updated_at FROM tariffs t JOIN tariff_versions v ON v.business_id = $1 AND v.tariff_id = t.tariff_id AND v.version = t.version WHERE t.business_id = $2 AND t.tariff_id = $3 AND t.deleted_at IS NULL

-- select tariffs 8cbc04422d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT tariff_id FROM tariffs WHERE business_id = $1 AND tariff_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select tariffs 8ecf00051f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT tariff_id, name, currency, version, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM tariffs WHERE business_id = $1 AND deleted_at IS NULL LIMIT $2) c) AS total FROM tariffs WHERE business_id = $3 AND deleted_at IS NULL ORDER BY tariff_id LIMIT $4 OFFSET $5

-- select tariffs a574c9c5df (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "tariff_id", "version", "name", "currency", "created_at", "updated_at", "deleted_at" FROM tariffs WHERE business_id = 1) t

-- select tariffs c220f7427d (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("tariff_id") AS highest FROM tariffs WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.tariffs_tariff_id_seq'::regclass), 0)

-- select tariffs ec307d6f73 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM tariffs WHERE business_id = $1 AND tariff_id = $2 AND deleted_at IS NULL

-- select tariffs f6d29d30e9 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.tariff_id, held.version, t.version AS latest FROM tariffs t CROSS JOIN LATERAL ( SELECT v.version FROM tariff_versions v WHERE v.business_id = $1 AND v.tariff_id = t.tariff_id AND (v.valid_from IS NULL OR v.valid_from <= $2) ORDER BY v.valid_from DESC NULLS LAST, v.version DESC LIMIT 1 ) held WHERE t.business_id = $3 AND t.deleted_at IS NULL ORDER BY t.tariff_id LIMIT 1

-- update tariffs 33eec5ca4a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE tariffs SET version = version + 1, name = $1, currency = $2, updated_at = $3 WHERE business_id = $4 AND tariff_id = $5 AND deleted_at IS NULL RETURNING tariff_id, version

-- update tariffs 6217f9a717 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE tariffs SET deleted_at = $1 WHERE business_id = $2 AND tariff_id = $3 AND deleted_at IS NULL
