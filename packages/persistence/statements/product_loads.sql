-- declare product_loads b30336a9df (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "product_id", "at", "taken", "capacity" FROM product_loads WHERE business_id = 1 ORDER BY product_id, at ) t

-- insert product_loads 736bd5774f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO product_loads (business_id, product_id, at, taken, capacity) SELECT $1::bigint, $2::bigint, w.at, coalesce(( SELECT l.taken FROM product_loads l WHERE l.business_id = $3 AND l.product_id = $4 AND l.at <= w.at ORDER BY l.at DESC LIMIT 1), 0), (SELECT p.capacity FROM products p WHERE p.business_id = $5 AND p.product_id = $6) FROM unnest($7::timestamptz[]) AS w (at) ON CONFLICT (business_id, product_id, at) DO NOTHING

-- insert product_loads ae15cbef49 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO product_loads AS t ("business_id", "product_id", "at", "taken", "capacity") OVERRIDING SYSTEM VALUE SELECT "business_id", "product_id", "at", "taken", "capacity" FROM jsonb_populate_recordset(NULL::product_loads, $1::jsonb) ON CONFLICT ("business_id", "product_id", "at") DO UPDATE SET "taken" = EXCLUDED."taken", "capacity" = EXCLUDED."capacity" WHERE (t."taken", t."capacity") IS DISTINCT FROM (EXCLUDED."taken", EXCLUDED."capacity")

-- select product_loads 50143a9891 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT coalesce(bool_or(taken + $1::int > capacity), false) AS is_full FROM product_loads WHERE business_id = $2 AND product_id = $3 AND at >= $4 AND at < $5

-- select product_loads 55c26ab26a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "product_id", "at", "taken", "capacity" FROM product_loads WHERE business_id = 1) t

-- select product_loads 851dc7dd70 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT coalesce(max(taken) > $1::int, false) AS is_full FROM product_loads WHERE business_id = $2 AND product_id = $3 AND at >= coalesce(( SELECT max(p.at) FROM product_loads p WHERE p.business_id = $4 AND p.product_id = $5 AND p.at <= $6), '-infinity'::timestamptz)

-- select product_loads ba66d220c6 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM product_loads WHERE business_id = 5

-- update product_loads 76a1c99e43 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE product_loads SET taken = taken + $1 WHERE business_id = $2 AND product_id = $3 AND at >= $4 AND at < $5

-- update product_loads 9633d4a0ff (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE product_loads SET capacity = $1 WHERE business_id = $2 AND product_id = $3 AND at >= coalesce(( SELECT max(p.at) FROM product_loads p WHERE p.business_id = $4 AND p.product_id = $5 AND p.at <= $6), '-infinity'::timestamptz)
