-- declare remittance_payments b6a736853d (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "remittance_id", "payment_id" FROM remittance_payments WHERE business_id = 1 ORDER BY remittance_id, payment_id ) t

-- insert remittance_payments acc2ceaa65 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO remittance_payments AS t ("business_id", "remittance_id", "payment_id") OVERRIDING SYSTEM VALUE SELECT "business_id", "remittance_id", "payment_id" FROM jsonb_populate_recordset(NULL::remittance_payments, $1::jsonb) ON CONFLICT ("business_id", "remittance_id", "payment_id") DO NOTHING

-- insert remittance_payments bd6aa71dc1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO remittance_payments (business_id, remittance_id, payment_id) SELECT $1::bigint, $2::bigint, unnest($3::bigint[])

-- select remittance_payments 03bfb4ba27 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM remittance_payments WHERE business_id = 5

-- select remittance_payments 6d5b6dcb4e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT p.payment_id, p.business_id, p.invoice_id, p.kind, p.amount_minor, p.currency, p.method, p.received_at, p.reference, p.refund_of, p.provider_id, p.created_at, r.remittance_id FROM remittance_payments r JOIN payments p ON p.business_id = $1 AND p.payment_id = r.payment_id WHERE r.business_id = $2 AND r.remittance_id = ANY($3::bigint[]) ORDER BY r.payment_id

-- select remittance_payments b248b30489 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "remittance_id", "payment_id" FROM remittance_payments WHERE business_id = 1) t
