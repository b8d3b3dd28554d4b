-- declare customers a5e36c9175 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "customer_id", "name", "email", "phone", "company", "address", "country", "vat_number", "notes", "search", "created_at", "updated_at", "deleted_at", "untaxed_as", "untaxed_reason", "tariff_id", "payment_terms_days", "language", "buyer_reference", "account_number", "external_ref", "preferred_driver_ids", "refused_driver_ids" FROM customers WHERE business_id = 1 ORDER BY customer_id ) t

-- delete customers 72c4e53070 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL AND NOT EXISTS (SELECT FROM trips WHERE business_id = $3 AND customer_id = $4) AND NOT EXISTS (SELECT FROM bookings WHERE business_id = $5 AND customer_id = $6) AND NOT EXISTS (SELECT FROM quotes WHERE business_id = $7 AND customer_id = $8) AND NOT EXISTS (SELECT FROM invoices WHERE business_id = $9 AND customer_id = $10)

-- insert customers 9854677040 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO customers AS t ("business_id", "customer_id", "name", "email", "phone", "company", "address", "country", "vat_number", "notes", "search", "created_at", "updated_at", "deleted_at", "untaxed_as", "untaxed_reason", "tariff_id", "payment_terms_days", "language", "buyer_reference", "account_number", "external_ref", "preferred_driver_ids", "refused_driver_ids") OVERRIDING SYSTEM VALUE SELECT "business_id", "customer_id", "name", "email", "phone", "company", "address", "country", "vat_number", "notes", "search", "created_at", "updated_at", "deleted_at", "untaxed_as", "untaxed_reason", "tariff_id", "payment_terms_days", "language", "buyer_reference", "account_number", "external_ref", "preferred_driver_ids", "refused_driver_ids" FROM jsonb_populate_recordset(NULL::customers, $1::jsonb) ON CONFLICT ("business_id", "customer_id") DO UPDATE SET "name" = EXCLUDED."name", "email" = EXCLUDED."email", "phone" = EXCLUDED."phone", "company" = EXCLUDED."company", "address" = EXCLUDED."address", "country" = EXCLUDED."country", "vat_number" = EXCLUDED."vat_number", "notes" = EXCLUDED."notes", "search" = EXCLUDED."search", "created_at" = EXCLUDED."created_at", "updated_at" = EXCLUDED."updated_at", "deleted_at" = EXCLUDED."deleted_at", "untaxed_as" = EXCLUDED."untaxed_as", "untaxed_reason" = EXCLUDED."untaxed_reason", "tariff_id" = EXCLUDED."tariff_id", "payment_terms_days" = EXCLUDED."payment_terms_days", "language" = EXCLUDED."language", "buyer_reference" = EXCLUDED."buyer_reference", "account_number" = EXCLUDED."account_number", "external_ref" = EXCLUDED."external_ref", "preferred_driver_ids" = EXCLUDED."preferred_driver_ids", "refused_driver_ids" = EXCLUDED."refused_driver_ids" WHERE (t."name", t."email", t."phone", t."company", t."address", t."country", t."vat_number", t."notes", t."search", t."created_at", t."updated_at", t."deleted_at", t."untaxed_as", t."untaxed_reason", t."tariff_id", t."payment_terms_days", t."language", t."buyer_reference", t."account_number", t."external_ref", t."preferred_driver_ids", t."refused_driver_ids") IS DISTINCT FROM (EXCLUDED."name", EXCLUDED."email", EXCLUDED."phone", EXCLUDED."company", EXCLUDED."address", EXCLUDED."country", EXCLUDED."vat_number", EXCLUDED."notes", EXCLUDED."search", EXCLUDED."created_at", EXCLUDED."updated_at", EXCLUDED."deleted_at", EXCLUDED."untaxed_as", EXCLUDED."untaxed_reason", EXCLUDED."tariff_id", EXCLUDED."payment_terms_days", EXCLUDED."language", EXCLUDED."buyer_reference", EXCLUDED."account_number", EXCLUDED."external_ref", EXCLUDED."preferred_driver_ids", EXCLUDED."refused_driver_ids")

-- insert customers 9b45f7b0ca (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO customers ("external_ref","name","email","phone","company","address","country","vat_number","language","buyer_reference","untaxed_as","untaxed_reason","preferred_driver_ids","refused_driver_ids","tariff_id","payment_terms_days","account_number","notes","business_id","search","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22) ON CONFLICT (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL DO NOTHING RETURNING customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at

-- insert customers a70b9abc84 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO customers (business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, search, created_at, updated_at) SELECT $1::bigint, r.external_ref, r.name, r.email, r.phone, r.company, r.address, r.country, r.vat_number, r.language, r.buyer_reference, r.untaxed_as, r.untaxed_reason, r.preferred_driver_ids, r.refused_driver_ids, r.tariff_id, r.payment_terms_days, r.account_number, r.notes, c.search::tsvector, $2::timestamptz, $3::timestamptz FROM jsonb_array_elements($4::jsonb) WITH ORDINALITY AS e (row, place), jsonb_populate_record(NULL::customers, e.row - 'search') AS r, jsonb_to_record(e.row) AS c (search text) ORDER BY e.place ON CONFLICT (business_id, email) WHERE email IS NOT NULL AND deleted_at IS NULL DO NOTHING RETURNING customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at

-- select customers 09587a05c1 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL FOR UPDATE

-- select customers 09e8b76d56 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT tariff_id FROM customers WHERE business_id = $1 AND customer_id = $2

-- select customers 0df8aa00f3 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, preferred_driver_ids, refused_driver_ids FROM customers WHERE business_id = $1 AND customer_id = ANY ($2::bigint[]) AND cardinality(preferred_driver_ids) + cardinality(refused_driver_ids) > 0 ORDER BY customer_id

-- select customers 1b464e1d42 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT coalesce(( SELECT c.payment_terms_days FROM customers c WHERE c.business_id = $1 AND c.customer_id = $2), b.payment_terms_days) AS days FROM businesses b WHERE b.business_id = $3

-- select customers 2f93714d80 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM customers WHERE business_id = $1 AND customer_id = ANY ($2::bigint[]) ORDER BY customer_id FOR UPDATE

-- select customers 336eaede0a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH matching AS MATERIALIZED (SELECT * FROM customers c WHERE c.business_id = $1::numeric AND search @@ $2::tsquery AND deleted_at IS NULL) SELECT c.total, items.* FROM (SELECT count(*) AS total FROM (SELECT FROM matching c WHERE business_id = $3 AND deleted_at IS NULL LIMIT $4) c) c LEFT JOIN LATERAL ( SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at, true AS is_item FROM matching c WHERE business_id = $5 AND deleted_at IS NULL ORDER BY name, customer_id LIMIT 101) items ON true

-- select customers 3456b464d5 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM customers WHERE business_id = $1 AND deleted_at IS NULL AND customer_id IN ( SELECT c.customer_id FROM unnest($2::text[]) AS k (ref) JOIN customers c ON c.business_id = $3 AND c.deleted_at IS NULL AND c.external_ref = k.ref UNION SELECT c.customer_id FROM unnest($4::text[]) AS k (email) JOIN customers c ON c.business_id = $5 AND c.deleted_at IS NULL AND c.email = k.email UNION SELECT c.customer_id FROM unnest($6::text[]) AS k (name) JOIN customers c ON c.business_id = $7 AND c.deleted_at IS NULL AND c.name = k.name UNION SELECT c.customer_id FROM unnest($8::text[]) AS p (word) JOIN customers c ON c.business_id = $9::numeric AND c.search @@ p.word::tsquery AND c.deleted_at IS NULL) ORDER BY customer_id

-- select customers 3f004ad36d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select customers 42ab34033f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "customer_id", "name", "email", "phone", "company", "address", "country", "vat_number", "notes", "created_at", "updated_at", "deleted_at", "untaxed_as", "untaxed_reason", "tariff_id", "payment_terms_days", "language", "buyer_reference", "account_number", "external_ref", "preferred_driver_ids", "refused_driver_ids" FROM customers WHERE business_id = 1) t

-- select customers 529c348b52 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM customers WHERE business_id = $1 AND deleted_at IS NULL AND customer_id IN ( SELECT c.customer_id FROM unnest($2::text[]) AS k (ref) JOIN customers c ON c.business_id = $3 AND c.deleted_at IS NULL AND c.external_ref = k.ref UNION SELECT c.customer_id FROM unnest($4::text[]) AS k (email) JOIN customers c ON c.business_id = $5 AND c.deleted_at IS NULL AND c.email = k.email UNION SELECT c.customer_id FROM unnest($6::text[]) AS k (name) JOIN customers c ON c.business_id = $7 AND c.deleted_at IS NULL AND c.name = k.name ) ORDER BY customer_id

-- select customers 58b7d2f3b2 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id AS id, name, email, NULL::bigint AS user_id, NULL AS user_name, NULL AS user_email FROM customers WHERE business_id = $1 AND customer_id = $2 ORDER BY customer_id

-- select customers 5a04796c1c (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("customer_id") AS highest FROM customers WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.customers_customer_id_seq'::regclass), 0)

-- select customers 6680ccbd34 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM customers WHERE business_id = $1 AND deleted_at IS NULL LIMIT $2) c) AS total FROM customers WHERE business_id = $3 AND deleted_at IS NULL ORDER BY name, customer_id LIMIT $4 OFFSET $5

-- select customers 7bcbf0094d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id AS owner_id FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL

-- select customers 8bc3a7ae20 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM ( SELECT * FROM customers c WHERE business_id = $1 AND deleted_at IS NULL ORDER BY name, customer_id LIMIT 2020) c WHERE c.business_id = $2::numeric AND search @@ $3::tsquery AND deleted_at IS NULL ORDER BY name, customer_id LIMIT 101

-- select customers 9905b4f183 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT name, email, phone FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL FOR KEY SHARE

-- select customers ab507daaa1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
WITH matching AS MATERIALIZED (SELECT * FROM customers c WHERE c.business_id = $1::numeric AND search @@ $2::tsquery AND deleted_at IS NULL) SELECT c.total, items.* FROM (SELECT count(*) AS total FROM (SELECT FROM matching c WHERE business_id = $3 AND deleted_at IS NULL LIMIT $4) c) c LEFT JOIN LATERAL ( SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at, true AS is_item FROM matching c WHERE business_id = $5 AND deleted_at IS NULL ORDER BY name, customer_id LIMIT $6 OFFSET $7) items ON true

-- select customers b10d0ff939 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM customers WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL

-- select customers d3e38f3f78 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT name, email, phone, company, address, country, vat_number, language, buyer_reference FROM ( SELECT (jsonb_populate_record(c, coalesce(r.party, '{}'))).* FROM customers c LEFT JOIN retained_parties r ON r.business_id = $1 AND r.kind = 'customer' AND r.record_id = c.customer_id WHERE c.business_id = $2 AND c.customer_id = $3 ) customer

-- select customers d445857a4f (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at FROM ( SELECT * FROM customers c WHERE business_id = $1 AND deleted_at IS NULL ORDER BY name, customer_id LIMIT 60) c WHERE c.business_id = $2::numeric AND search @@ $3::tsquery AND deleted_at IS NULL ORDER BY name, customer_id LIMIT $4 OFFSET $5

-- select customers d6796af201 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id AS id, name, email, NULL::bigint AS user_id, NULL AS user_name, NULL AS user_email FROM customers WHERE business_id = $1 AND (email = $2 OR phone ~ ANY ($3::text[])) ORDER BY customer_id

-- select customers ebcc65b551 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.email, c.customer_id FROM unnest($1::text[]) AS e (email) JOIN customers c ON c.business_id = $2 AND c.email = e.email AND c.deleted_at IS NULL ORDER BY c.customer_id FOR KEY SHARE OF c

-- select customers f04bad793c (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM customers WHERE business_id = 5

-- select customers f5c47acb1b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT customer_id, name, email, phone FROM customers WHERE business_id = $1 AND customer_id = ANY ($2::bigint[]) AND deleted_at IS NULL ORDER BY customer_id FOR KEY SHARE

-- update customers 04c41af551 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE customers SET deleted_at = $1 WHERE business_id = $2 AND customer_id = $3 AND deleted_at IS NULL

-- update customers 3e5ec1eba5 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE customers SET "external_ref" = $1, "name" = $2, "email" = $3, "phone" = $4, "company" = $5, "address" = $6, "country" = $7, "vat_number" = $8, "language" = $9, "buyer_reference" = $10, "untaxed_as" = $11, "untaxed_reason" = $12, "preferred_driver_ids" = $13, "refused_driver_ids" = $14, "tariff_id" = $15, "payment_terms_days" = $16, "account_number" = $17, "notes" = $18, "search" = $19, "updated_at" = $20 WHERE business_id = $21 AND customer_id = $22 AND deleted_at IS NULL RETURNING customer_id, business_id, external_ref, name, email, phone, company, address, country, vat_number, language, buyer_reference, untaxed_as, untaxed_reason, preferred_driver_ids, refused_driver_ids, tariff_id, payment_terms_days, account_number, notes, created_at, updated_at

-- update customers 9d3bbe1a08 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE customers SET "external_ref" = $1, "name" = $2, "email" = $3, "phone" = $4, "company" = $5, "address" = $6, "country" = $7, "vat_number" = $8, "language" = $9, "buyer_reference" = $10, "untaxed_reason" = $11, "preferred_driver_ids" = $12, "refused_driver_ids" = $13, "account_number" = $14, "notes" = $15, "search" = $16, "updated_at" = $17 WHERE business_id = $18 AND customer_id = ANY ($19::bigint[])

-- update customers a837a5f121 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE customers SET deleted_at = coalesce(deleted_at, $1) WHERE business_id = $2 AND customer_id = ANY ($3::bigint[])
