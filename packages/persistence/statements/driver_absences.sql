-- declare driver_absences e20e09ed43 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "absence_id", "driver_id", "kind", "starts_at", "ends_at", "note", "created_at" FROM driver_absences WHERE business_id = 1 ORDER BY absence_id ) t

-- delete driver_absences 011c049864 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_absences WHERE business_id = $1 AND driver_id = ANY ($2::bigint[])

-- delete driver_absences 1c17de6956 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_absences WHERE business_id = $1 AND absence_id = ANY ($2::bigint[])

-- delete driver_absences 9a55d71eb9 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_absences WHERE business_id = $1 AND driver_id = $2

-- insert driver_absences 41c4f1c83f (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_absences AS t ("business_id", "absence_id", "driver_id", "kind", "starts_at", "ends_at", "note", "created_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "absence_id", "driver_id", "kind", "starts_at", "ends_at", "note", "created_at" FROM jsonb_populate_recordset(NULL::driver_absences, $1::jsonb) ON CONFLICT ("business_id", "absence_id") DO UPDATE SET "driver_id" = EXCLUDED."driver_id", "kind" = EXCLUDED."kind", "starts_at" = EXCLUDED."starts_at", "ends_at" = EXCLUDED."ends_at", "note" = EXCLUDED."note", "created_at" = EXCLUDED."created_at" WHERE (t."driver_id", t."kind", t."starts_at", t."ends_at", t."note", t."created_at") IS DISTINCT FROM (EXCLUDED."driver_id", EXCLUDED."kind", EXCLUDED."starts_at", EXCLUDED."ends_at", EXCLUDED."note", EXCLUDED."created_at")

-- insert driver_absences ebcf8b0511 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_absences ("business_id","driver_id","kind","starts_at","ends_at","note","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7) RETURNING absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at

-- select driver_absences 1a895b4818 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM driver_absences WHERE business_id = 5

-- select driver_absences 39147e2d17 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("absence_id") AS highest FROM driver_absences WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.driver_absences_absence_id_seq'::regclass), 0)

-- select driver_absences 6618904add (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at, (SELECT count(*) AS total FROM (SELECT FROM driver_absences WHERE (business_id = $1 AND driver_id = $2 AND starts_at < $3) LIMIT $4) c) AS total FROM driver_absences WHERE (business_id = $5 AND driver_id = $6 AND starts_at < $7) ORDER BY starts_at, absence_id LIMIT $8 OFFSET $9

-- select driver_absences 80e196da64 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at FROM driver_absences WHERE business_id = $1 AND driver_id = $2 AND starts_at < $3 AND ends_at > $4 AND starts_at > $5::timestamptz - make_interval(days => $6::int) ORDER BY starts_at, absence_id

-- select driver_absences 8fb8083cdf (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "absence_id", "driver_id", "kind", "starts_at", "ends_at", "note", "created_at" FROM driver_absences WHERE business_id = 1) t

-- select driver_absences ae3b16c992 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at FROM driver_absences WHERE business_id = $1 AND driver_id = $2 AND absence_id = ANY ($3::bigint[]) ORDER BY starts_at, absence_id

-- select driver_absences b83274f06d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at, (SELECT count(*) AS total FROM (SELECT FROM driver_absences WHERE (business_id = $1 AND driver_id = $2 AND ends_at > $3 AND starts_at > $4::timestamptz - make_interval(days => $5::int)) LIMIT $6) c) AS total FROM driver_absences WHERE (business_id = $7 AND driver_id = $8 AND ends_at > $9 AND starts_at > $10::timestamptz - make_interval(days => $11::int)) ORDER BY starts_at, absence_id LIMIT $12 OFFSET $13

-- select driver_absences f6e0fc774a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT absence_id, business_id, driver_id, kind, starts_at, ends_at, note, created_at, (SELECT count(*) AS total FROM (SELECT FROM driver_absences WHERE (business_id = $1 AND driver_id = $2) LIMIT $3) c) AS total FROM driver_absences WHERE (business_id = $4 AND driver_id = $5) ORDER BY starts_at, absence_id LIMIT $6 OFFSET $7
