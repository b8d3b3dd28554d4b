-- declare invoice_changes c3bcd5e6b4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "invoice_id", "change_id", "at", "actor", "change", "fields", "before", "after" FROM invoice_changes WHERE business_id = 1 ORDER BY invoice_id, change_id ) t

-- delete invoice_changes fb0e33a023 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM invoice_changes WHERE business_id = $1 AND invoice_id = $2

-- insert invoice_changes 223a6cda17 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_changes ("business_id","invoice_id","at","actor","change","fields","before","after") VALUES ($1,$2,$3,$4,$5,$6,$7,$8)

-- insert invoice_changes acb75e1912 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO invoice_changes AS t ("business_id", "invoice_id", "change_id", "at", "actor", "change", "fields", "before", "after") OVERRIDING SYSTEM VALUE SELECT "business_id", "invoice_id", "change_id", "at", regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:'), "change", "fields", "before", "after" FROM jsonb_populate_recordset(NULL::invoice_changes, $1::jsonb) ON CONFLICT ("business_id", "invoice_id", "change_id") DO UPDATE SET "at" = EXCLUDED."at", "actor" = EXCLUDED."actor", "change" = EXCLUDED."change", "fields" = EXCLUDED."fields", "before" = EXCLUDED."before", "after" = EXCLUDED."after" WHERE (t."at", t."actor", t."change", t."fields", t."before", t."after") IS DISTINCT FROM (EXCLUDED."at", EXCLUDED."actor", EXCLUDED."change", EXCLUDED."fields", EXCLUDED."before", EXCLUDED."after")

-- select invoice_changes 32931472bb (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.*, (SELECT count(*) AS total FROM (SELECT FROM invoice_changes WHERE business_id = $1 AND invoice_id = $2 LIMIT $3) c) AS total FROM (SELECT FROM invoices WHERE business_id = $4 AND invoice_id = $5 AND deleted_at IS NULL) i LEFT JOIN LATERAL ( SELECT e.change_id, e.at, e.actor, CASE split_part(e.actor, ':', 1) WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.user_id = split_part(e.actor, ':', 2)::bigint) WHEN 'driver' THEN ( SELECT d.name FROM drivers d WHERE d.business_id = $6::bigint AND d.driver_id = split_part(e.actor, ':', 2)::bigint) WHEN 'api_key' THEN ( SELECT u.name FROM api_keys k JOIN users u ON u.user_id = k.created_by WHERE k.business_id = $7::bigint AND k.masked_key = split_part(e.actor, ':', 2) LIMIT 1) END AS actor_name, e.change, e.fields, e.before, e.after FROM invoice_changes e WHERE business_id = $8 AND invoice_id = $9 ORDER BY change_id LIMIT $10 OFFSET $11) c ON true ORDER BY c.change_id

-- select invoice_changes 97973ab348 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM invoice_changes WHERE business_id = 5

-- select invoice_changes 99be079a47 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "invoice_id", "change_id", "at", regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:'), "change", "fields", "before", "after" FROM invoice_changes WHERE business_id = 1) t

-- select invoice_changes d8a40aa49d (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("change_id") AS highest FROM invoice_changes WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.invoice_changes_change_id_seq'::regclass), 0)
