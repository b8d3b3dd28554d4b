-- declare quotes bd25dde52f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "quote_id", "reference", "status", "version", "customer_id", "customer_name", "customer_email", "customer_phone", "currency", "valid_until", "items", "notes", "sent_at", "accepted_at", "accepted_by", "accepted_address", "rejected_at", "reject_reason", "converted_at", "created_at", "updated_at", "deleted_at" FROM quotes WHERE business_id = 1 ORDER BY quote_id ) t

-- insert quotes 56f8d8d0bd (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO quotes ("business_id", "quote_id", "reference", "status", "version", "customer_id", "customer_name", "customer_email", "customer_phone", "currency", "valid_until", "items", "notes", "sent_at", "accepted_at", "accepted_by", "accepted_address", "rejected_at", "reject_reason", "converted_at", "created_at", "updated_at", "deleted_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "quote_id", "reference", "status", "version", "customer_id", "customer_name", "customer_email", "customer_phone", "currency", "valid_until", "items", "notes", "sent_at", "accepted_at", "accepted_by", "accepted_address", "rejected_at", "reject_reason", "converted_at", "created_at", "updated_at", "deleted_at" FROM jsonb_populate_recordset(NULL::quotes, $1::jsonb) ON CONFLICT DO NOTHING

-- insert quotes d62743d29e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO quotes AS q ("business_id","reference","status","version","customer_id","customer_name","customer_email","customer_phone","currency","valid_until","items","notes","sent_at","accepted_at","accepted_by","accepted_address","rejected_at","reject_reason","converted_at","token_hash","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22) ON CONFLICT (business_id, reference) DO NOTHING RETURNING q.quote_id, q.business_id, q.reference, q.status, q.version, q.customer_id, q.customer_name, q.customer_email, q.customer_phone, q.currency, q.valid_until, q.items, q.notes, ARRAY[]::bigint[] AS trip_ids, q.sent_at, q.accepted_at, q.accepted_by, q.accepted_address, q.rejected_at, q.reject_reason, q.converted_at, q.token_hash, q.created_at, q.updated_at

-- select quotes 18ad69bbb4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("quote_id") AS highest FROM quotes WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.quotes_quote_id_seq'::regclass), 0)

-- select quotes 21ffd1a24e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM quotes WHERE business_id = 5

-- select quotes 5492886f0f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM quotes WHERE business_id = $1 AND quote_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select quotes 816f9aa2eb (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "quote_id", "reference", "status", "version", "customer_id", "customer_name", "customer_email", "customer_phone", "currency", "valid_until", "items", "notes", "sent_at", "accepted_at", "accepted_by", "accepted_address", "rejected_at", "reject_reason", "converted_at", "created_at", "updated_at", "deleted_at" FROM quotes WHERE business_id = 1) t

-- select quotes c9f10b87a6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT r.quote_id AS id FROM quotes r WHERE r.business_id = $1 AND r.deleted_at IS NULL AND r.status IN ('draft', 'sent', 'accepted') AND (r.customer_id = ANY ($2::bigint[]) OR (lower((concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.items, r.notes, r.accepted_by, r.accepted_address, r.reject_reason)) COLLATE "C") LIKE ANY ($3::text[]) AND lower(concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.items, r.notes, r.accepted_by, r.accepted_address, r.reject_reason)) ~ ANY ($4::text[])) OR ($5 AND ((coalesce(r.customer_phone, '')) ~ ANY ($6::text[]) OR (r.items::text) ~ ANY ($7::text[])))) ORDER BY 1 LIMIT $8

-- update quotes 1410e6fccf (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE quotes SET "status" = $1, "version" = $2, "customer_id" = $3, "customer_name" = $4, "customer_email" = $5, "customer_phone" = $6, "currency" = $7, "valid_until" = $8, "items" = $9, "notes" = $10, "sent_at" = $11, "accepted_at" = $12, "accepted_by" = $13, "accepted_address" = $14, "rejected_at" = $15, "reject_reason" = $16, "converted_at" = $17, "token_hash" = $18, "updated_at" = $19 WHERE business_id = $20 AND quote_id = $21 AND deleted_at IS NULL

-- update quotes 60f1fc750f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE quotes SET deleted_at = $1, token_hash = NULL WHERE business_id = $2 AND quote_id = $3 AND deleted_at IS NULL

-- update quotes 7fa1898be9 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE quotes SET "customer_name" = $1, "customer_email" = $2, "customer_phone" = $3, "notes" = $4, "accepted_by" = $5, "accepted_address" = $6, "reject_reason" = $7, "customer_id" = $8, "token_hash" = $9, "updated_at" = $10, version = version + 1, items = ( SELECT coalesce(jsonb_agg(item || $11::jsonb ORDER BY nth), '[]') FROM jsonb_array_elements(items) WITH ORDINALITY AS i (item, nth)) WHERE business_id = $12 AND quote_id IN ( SELECT r.quote_id FROM quotes r WHERE r.business_id = $13 AND (r.customer_id = ANY ($14::bigint[]) OR (lower((concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.items, r.notes, r.accepted_by, r.accepted_address, r.reject_reason)) COLLATE "C") LIKE ANY ($15::text[]) AND lower(concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.items, r.notes, r.accepted_by, r.accepted_address, r.reject_reason)) ~ ANY ($16::text[])) OR ($17 AND ((coalesce(r.customer_phone, '')) ~ ANY ($18::text[]) OR (r.items::text) ~ ANY ($19::text[])))) ORDER BY r.quote_id LIMIT $20 FOR NO KEY UPDATE) RETURNING quote_id AS id

-- update quotes c0952a1a47 (ports)
UPDATE quotes SET status = 'expired', updated_at = $1 WHERE (business_id, quote_id) IN ( SELECT business_id, quote_id FROM quotes WHERE status IN ('draft', 'sent') AND valid_until <= $2 AND deleted_at IS NULL ORDER BY valid_until LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED) RETURNING quote_id
