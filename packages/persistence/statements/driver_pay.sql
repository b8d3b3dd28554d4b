-- declare driver_pay b3bd02b9db (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "driver_id", "schemes", "updated_at" FROM driver_pay WHERE business_id = 1 ORDER BY driver_id ) t

-- insert driver_pay 948e8494b0 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_pay AS t ("business_id", "driver_id", "schemes", "updated_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "driver_id", "schemes", "updated_at" FROM jsonb_populate_recordset(NULL::driver_pay, $1::jsonb) ON CONFLICT ("business_id", "driver_id") DO UPDATE SET "schemes" = EXCLUDED."schemes", "updated_at" = EXCLUDED."updated_at" WHERE (t."schemes", t."updated_at") IS DISTINCT FROM (EXCLUDED."schemes", EXCLUDED."updated_at")

-- insert driver_pay ea2d5b5b3f (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_pay ("business_id","driver_id","schemes","updated_at") VALUES ($1,$2,$3,$4) ON CONFLICT (business_id, driver_id) DO UPDATE SET schemes = excluded.schemes, updated_at = excluded.updated_at

-- select driver_pay 3f2b06e985 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM driver_pay WHERE business_id = 5

-- select driver_pay 7eee7ce964 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "driver_id", "schemes", "updated_at" FROM driver_pay WHERE business_id = 1) t
