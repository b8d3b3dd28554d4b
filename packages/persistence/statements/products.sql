-- declare products 7f27ccfc4b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "product_id", "name", "description", "kind", "price_minor", "currency", "duration_minutes", "capacity", "pickup_address", "dropoff_address", "active", "created_at", "updated_at", "deleted_at", "taxes", "tax_included", "departures" FROM products WHERE business_id = 1 ORDER BY product_id ) t

-- insert products 3737aed747 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO products AS t ("business_id", "product_id", "name", "description", "kind", "price_minor", "currency", "duration_minutes", "capacity", "pickup_address", "dropoff_address", "active", "created_at", "updated_at", "deleted_at", "taxes", "tax_included", "departures") OVERRIDING SYSTEM VALUE SELECT "business_id", "product_id", "name", "description", "kind", "price_minor", "currency", "duration_minutes", "capacity", "pickup_address", "dropoff_address", "active", "created_at", "updated_at", "deleted_at", "taxes", "tax_included", "departures" FROM jsonb_populate_recordset(NULL::products, $1::jsonb) ON CONFLICT ("business_id", "product_id") DO UPDATE SET "name" = EXCLUDED."name", "description" = EXCLUDED."description", "kind" = EXCLUDED."kind", "price_minor" = EXCLUDED."price_minor", "currency" = EXCLUDED."currency", "duration_minutes" = EXCLUDED."duration_minutes", "capacity" = EXCLUDED."capacity", "pickup_address" = EXCLUDED."pickup_address", "dropoff_address" = EXCLUDED."dropoff_address", "active" = EXCLUDED."active", "created_at" = EXCLUDED."created_at", "updated_at" = EXCLUDED."updated_at", "deleted_at" = EXCLUDED."deleted_at", "taxes" = EXCLUDED."taxes", "tax_included" = EXCLUDED."tax_included", "departures" = EXCLUDED."departures" WHERE (t."name", t."description", t."kind", t."price_minor", t."currency", t."duration_minutes", t."capacity", t."pickup_address", t."dropoff_address", t."active", t."created_at", t."updated_at", t."deleted_at", t."taxes", t."tax_included", t."departures") IS DISTINCT FROM (EXCLUDED."name", EXCLUDED."description", EXCLUDED."kind", EXCLUDED."price_minor", EXCLUDED."currency", EXCLUDED."duration_minutes", EXCLUDED."capacity", EXCLUDED."pickup_address", EXCLUDED."dropoff_address", EXCLUDED."active", EXCLUDED."created_at", EXCLUDED."updated_at", EXCLUDED."deleted_at", EXCLUDED."taxes", EXCLUDED."tax_included", EXCLUDED."departures")

-- insert products 64f3a155d4 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO products ("business_id","name","description","kind","price_minor","currency","duration_minutes","capacity","taxes","tax_included","departures","pickup_address","dropoff_address","active","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16) RETURNING product_id, business_id, name, description, kind, price_minor, currency, duration_minutes, capacity, taxes, tax_included, departures, pickup_address, dropoff_address, active, created_at, updated_at

-- select products 05f5857eef (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("product_id") AS highest FROM products WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.products_product_id_seq'::regclass), 0)

-- select products 1b64aea0de (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT product_id, business_id, name, description, kind, price_minor, currency, duration_minutes, capacity, taxes, tax_included, departures, pickup_address, dropoff_address, active, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM products WHERE business_id = $1 AND deleted_at IS NULL AND active = $2 LIMIT $3) c) AS total FROM products WHERE business_id = $4 AND deleted_at IS NULL AND active = $5 ORDER BY name, product_id LIMIT $6 OFFSET $7

-- select products 6253e9c204 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "product_id", "name", "description", "kind", "price_minor", "currency", "duration_minutes", "capacity", "pickup_address", "dropoff_address", "active", "created_at", "updated_at", "deleted_at", "taxes", "tax_included", "departures" FROM products WHERE business_id = 1) t

-- select products 6caa536bad (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT product_id, business_id, name, description, kind, price_minor, currency, duration_minutes, capacity, taxes, tax_included, departures, pickup_address, dropoff_address, active, created_at, updated_at FROM products WHERE business_id = $1 AND product_id = $2 AND deleted_at IS NULL

-- select products a01d56ce7f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT product_id, business_id, name, description, kind, price_minor, currency, duration_minutes, capacity, taxes, tax_included, departures, pickup_address, dropoff_address, active, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM products WHERE business_id = $1 AND deleted_at IS NULL LIMIT $2) c) AS total FROM products WHERE business_id = $3 AND deleted_at IS NULL ORDER BY name, product_id LIMIT $4 OFFSET $5

-- select products b22050a015 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM products WHERE business_id = 5

-- select products f6596784c6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM products WHERE business_id = $1 AND product_id = $2 FOR NO KEY UPDATE

-- select products fbb99794b0 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT product_id, business_id, name, description, kind, price_minor, currency, duration_minutes, capacity, taxes, tax_included, departures, pickup_address, dropoff_address, active, created_at, updated_at FROM products WHERE business_id = $1 AND product_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- update products 031ca4aeff (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE products SET "name" = $1, "description" = $2, "kind" = $3, "price_minor" = $4, "currency" = $5, "duration_minutes" = $6, "capacity" = $7, "taxes" = $8, "tax_included" = $9, "departures" = $10, "pickup_address" = $11, "dropoff_address" = $12, "active" = $13, "updated_at" = $14 WHERE business_id = $15 AND product_id = $16 AND deleted_at IS NULL

-- update products a399ff7bc5 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE products SET deleted_at = $1 WHERE business_id = $2 AND product_id = $3 AND deleted_at IS NULL
