-- declare payments aeda3bb920 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at" FROM payments WHERE business_id = 1 ORDER BY payment_id ) t

-- insert payments 6eae85e18e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO payments AS t ("business_id", "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "payment_id", "invoice_id", "kind", "amount_minor", "currency", "method", "received_at", "reference", "refund_of", "provider_id", "created_at" FROM jsonb_populate_recordset(NULL::payments, $1::jsonb) ON CONFLICT ("business_id", "payment_id") DO UPDATE SET "invoice_id" = EXCLUDED."invoice_id", "kind" = EXCLUDED."kind", "amount_minor" = EXCLUDED."amount_minor", "currency" = EXCLUDED."currency", "method" = EXCLUDED."method", "received_at" = EXCLUDED."received_at", "reference" = EXCLUDED."reference", "refund_of" = EXCLUDED."refund_of", "provider_id" = EXCLUDED."provider_id", "created_at" = EXCLUDED."created_at" WHERE (t."invoice_id", t."kind", t."amount_minor", t."currency", t."method", t."received_at", t."reference", t."refund_of", t."provider_id", t."created_at") IS DISTINCT FROM (EXCLUDED."invoice_id", EXCLUDED."kind", EXCLUDED."amount_minor", EXCLUDED."currency", EXCLUDED."method", EXCLUDED."received_at", EXCLUDED."reference", EXCLUDED."refund_of", EXCLUDED."provider_id", EXCLUDED."created_at")

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
