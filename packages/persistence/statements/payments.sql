-- declare payments aeda3bb920 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at" FROM payments WHERE business_id = 1 ORDER BY payment_id ) t

-- insert payments 5e5e16a244 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO payments ("business_id", "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at" FROM jsonb_populate_recordset(NULL::payments, $1::jsonb) ON CONFLICT DO NOTHING

-- insert payments 8cd1359176 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO payments ("business_id","invoice_id","kind","amount_minor","currency","method","received_at","reference","refund_of","provider_id","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11) RETURNING payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at

-- select payments 1fe9825d2d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at FROM payments WHERE (business_id, invoice_id) > ($1, $2) AND (business_id, invoice_id) <= ($3, $4) ORDER BY payment_id

-- select payments 28dae668d5 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at" FROM payments WHERE business_id = 1) t

-- select payments 5e503179bf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at FROM payments WHERE business_id = $1 AND invoice_id = $2 ORDER BY payment_id

-- select payments a2f8b079d4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at FROM payments WHERE business_id >= $1 AND business_id <= $2 AND payment_id = ANY($3::bigint[]) UNION SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at FROM payments WHERE business_id >= $4 AND business_id <= $5 AND refund_of = ANY($6::bigint[]) AND kind IN ('from_credit', 'credit_returned')

-- select payments c5a9c23624 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at FROM payments WHERE business_id = $1 AND payment_id = $2

-- select payments c7fa67bfc4 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT payment_id, business_id, invoice_id, kind, amount_minor, currency, method, received_at, reference, refund_of, provider_id, created_at, (SELECT count(*) AS total FROM (SELECT FROM payments WHERE business_id = $1 AND invoice_id = $2 LIMIT $3) c) AS total FROM payments WHERE business_id = $4 AND invoice_id = $5 ORDER BY payment_id LIMIT $6 OFFSET $7

-- select payments df7c1122a3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM payments WHERE business_id = 5

-- select payments e227daca43 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("payment_id") AS highest FROM payments WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.payments_payment_id_seq'::regclass), 0)
