-- declare flight_settings f951872de6 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "enabled", "settings" FROM flight_settings WHERE business_id = 1 ) t

-- insert flight_settings 2a31092e99 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO flight_settings AS t ("business_id", "enabled", "settings") OVERRIDING SYSTEM VALUE SELECT "business_id", "enabled", "settings" FROM jsonb_populate_recordset(NULL::flight_settings, $1::jsonb) ON CONFLICT ("business_id") DO UPDATE SET "enabled" = EXCLUDED."enabled", "settings" = EXCLUDED."settings" WHERE (t."enabled", t."settings") IS DISTINCT FROM (EXCLUDED."enabled", EXCLUDED."settings")

-- insert flight_settings 6cb829ccc3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO flight_settings (business_id, enabled, settings) VALUES ($1, $2, $3) ON CONFLICT (business_id) DO UPDATE SET enabled = excluded.enabled, settings = excluded.settings

-- select flight_settings 3c3a17f5e4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "enabled", "settings" FROM flight_settings WHERE business_id = 1) t

-- select flight_settings a5debe15ab (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM flight_settings WHERE business_id = 5

-- select flight_settings d49c6022c3 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.business_id, b.business_name, b.status, b.currency, b.timezone, s.settings FROM flight_settings s JOIN businesses b ON b.business_id = s.business_id WHERE s.business_id > $1 AND s.enabled AND b.status = 'A' ORDER BY s.business_id LIMIT $2

-- select flight_settings e5324c4986 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT settings FROM flight_settings WHERE business_id = $1
