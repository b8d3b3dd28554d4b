-- declare tariff_versions d427cb54c2 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "tariff_id", "version", "content", "created_at", "valid_from" FROM tariff_versions WHERE business_id = 1 ORDER BY tariff_id, version ) t

-- insert tariff_versions b18673de67 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO tariff_versions AS t ("business_id", "tariff_id", "version", "content", "created_at", "valid_from") OVERRIDING SYSTEM VALUE SELECT "business_id", "tariff_id", "version", "content", "created_at", "valid_from" FROM jsonb_populate_recordset(NULL::tariff_versions, $1::jsonb) ON CONFLICT ("business_id", "tariff_id", "version") DO UPDATE SET "content" = EXCLUDED."content", "created_at" = EXCLUDED."created_at", "valid_from" = EXCLUDED."valid_from" WHERE (t."content", t."created_at", t."valid_from") IS DISTINCT FROM (EXCLUDED."content", EXCLUDED."created_at", EXCLUDED."valid_from")

-- insert tariff_versions e82b9fb050 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO tariff_versions ("business_id","tariff_id","version","content","valid_from","created_at") VALUES ($1,$2,$3,$4,$5,$6)

-- select tariff_versions 290d74d53f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "tariff_id", "version", "content", "created_at", "valid_from" FROM tariff_versions WHERE business_id = 1) t

-- select tariff_versions 3b7ad65a29 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT t.tariff_id, t.business_id, v.version AS version, v.valid_from AS valid_from, v.content AS content, t.created_at, v.created_at AS updated_at FROM tariff_versions v JOIN tariffs t ON t.business_id = $1 AND t.tariff_id = v.tariff_id WHERE v.business_id = $2 AND v.tariff_id = $3 AND v.version = $4

-- select tariff_versions 6d15363cf2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT v.version, v.content ->> 'name' AS name, v.content ->> 'currency' AS currency, v.valid_from, v.created_at, (SELECT count(*) AS total FROM (SELECT FROM tariff_versions v WHERE v.business_id = $1 AND v.tariff_id = $2 LIMIT $3) c) AS total FROM tariff_versions v WHERE v.business_id = $4 AND v.tariff_id = $5 ORDER BY v.version DESC LIMIT $6 OFFSET $7

-- select tariff_versions 78c3a0cf65 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM tariff_versions WHERE business_id = 5

-- select tariff_versions f3de718b3b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT content FROM tariff_versions WHERE business_id = $1 AND tariff_id = $2 AND version = $3
