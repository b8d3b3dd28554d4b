-- declare remittances c5725d5fc2 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "remittance_id", "amount_minor", "currency", "method", "received_at", "reference", "created_at" FROM remittances WHERE business_id = 1 ORDER BY remittance_id ) t

-- insert remittances 90c2d3bbba (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO remittances AS t ("business_id", "remittance_id", "amount_minor", "currency", "method", "received_at", "reference", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "remittance_id", "amount_minor", "currency", "method", "received_at", "reference", "created_at" FROM jsonb_populate_recordset(NULL::remittances, $1::jsonb) ON CONFLICT ("business_id", "remittance_id") DO UPDATE SET "amount_minor" = EXCLUDED."amount_minor", "currency" = EXCLUDED."currency", "method" = EXCLUDED."method", "received_at" = EXCLUDED."received_at", "reference" = EXCLUDED."reference", "created_at" = EXCLUDED."created_at" WHERE (t."amount_minor", t."currency", t."method", t."received_at", t."reference", t."created_at") IS DISTINCT FROM (EXCLUDED."amount_minor", EXCLUDED."currency", EXCLUDED."method", EXCLUDED."received_at", EXCLUDED."reference", EXCLUDED."created_at")

-- insert remittances a8e550c1ec (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO remittances ("business_id","amount_minor","currency","method","received_at","reference","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7) RETURNING remittance_id, business_id, amount_minor, currency, method, received_at, reference, created_at

-- select remittances 0cdbbace97 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("remittance_id") AS highest FROM remittances WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.remittances_remittance_id_seq'::regclass), 0)

-- select remittances 7f6d0a562f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "remittance_id", "amount_minor", "currency", "method", "received_at", "reference", "created_at" FROM remittances WHERE business_id = 1) t

-- select remittances bad01a5b74 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM remittances WHERE business_id = 5

-- select remittances d08fad265e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT remittance_id, business_id, amount_minor, currency, method, received_at, reference, created_at FROM remittances WHERE business_id = $1 AND remittance_id = $2

-- select remittances da609af33a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT r.business_id, r.remittance_id, r.amount_minor, coalesce(sum(p.amount_minor), 0)::bigint AS entered_minor FROM remittances r LEFT JOIN remittance_payments e ON e.business_id = r.business_id AND e.remittance_id = r.remittance_id LEFT JOIN payments p ON p.business_id = e.business_id AND p.payment_id = e.payment_id AND p.currency = r.currency GROUP BY r.business_id, r.remittance_id HAVING r.amount_minor <> coalesce(sum(p.amount_minor), 0) ORDER BY r.business_id, r.remittance_id

-- select remittances e0be077f6d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT remittance_id, business_id, amount_minor, currency, method, received_at, reference, created_at, (SELECT count(*) AS total FROM (SELECT FROM remittances WHERE business_id = $1 LIMIT $2) c) AS total FROM remittances WHERE business_id = $3 ORDER BY remittance_id DESC LIMIT $4 OFFSET $5
