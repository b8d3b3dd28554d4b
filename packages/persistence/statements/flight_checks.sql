-- declare flight_checks 1e0b0456c3 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "trip_id", "flight", "booked_for", "set_to", "failures", "due_at" FROM flight_checks WHERE business_id = 1 ORDER BY trip_id ) t

-- delete flight_checks ab78fb7c6c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM flight_checks WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])

-- insert flight_checks 19b2ad8cbd (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO flight_checks AS t ("business_id", "trip_id", "flight", "booked_for", "set_to", "failures", "due_at") OVERRIDING SYSTEM VALUE SELECT "business_id", "trip_id", "flight", "booked_for", "set_to", "failures", "due_at" FROM jsonb_populate_recordset(NULL::flight_checks, $1::jsonb) ON CONFLICT ("business_id", "trip_id") DO UPDATE SET "flight" = EXCLUDED."flight", "booked_for" = EXCLUDED."booked_for", "set_to" = EXCLUDED."set_to", "failures" = EXCLUDED."failures", "due_at" = EXCLUDED."due_at" WHERE (t."flight", t."booked_for", t."set_to", t."failures", t."due_at") IS DISTINCT FROM (EXCLUDED."flight", EXCLUDED."booked_for", EXCLUDED."set_to", EXCLUDED."failures", EXCLUDED."due_at")

-- insert flight_checks c95bd2fa05 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO flight_checks AS c (business_id, trip_id, flight, due_at) SELECT t.business_id, t.trip_id, t.flight_number, $1::timestamptz FROM trips t LEFT JOIN flight_checks k ON k.business_id = $2 AND k.trip_id = t.trip_id WHERE t.business_id = $3 AND t.deleted_at IS NULL AND t.flight_number IS NOT NULL AND t.status IN ('pending', 'confirmed', 'in_progress') AND t.trip_date >= $4 AND t.trip_date <= $5 AND coalesce(k.booked_for, t.trip_date) <= $6 AND (k.trip_id IS NULL OR k.due_at <= $7 OR k.flight <> t.flight_number) ORDER BY t.trip_date, t.trip_id LIMIT $8 ON CONFLICT (business_id, trip_id) DO UPDATE SET due_at = excluded.due_at, flight = excluded.flight, booked_for = CASE WHEN c.flight = excluded.flight THEN c.booked_for END, set_to = CASE WHEN c.flight = excluded.flight THEN c.set_to END, failures = CASE WHEN c.flight = excluded.flight THEN c.failures ELSE 0 END WHERE c.due_at <= $9 OR c.flight <> excluded.flight RETURNING c.trip_id, c.booked_for, c.set_to, c.failures

-- select flight_checks 5f2b8379dc (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM flight_checks WHERE business_id = 5

-- select flight_checks 711d9629ac (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "trip_id", "flight", "booked_for", "set_to", "failures", "due_at" FROM flight_checks WHERE business_id = 1) t

-- select flight_checks e4de9f47f8 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.trip_id, c.booked_for, c.set_to, c.failures FROM flight_checks c WHERE c.business_id = $1 AND c.trip_id = $2

-- update flight_checks 0fbcaa6608 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE flight_checks SET booked_for = $1, set_to = $2, failures = $3, due_at = $4 WHERE business_id = $5 AND trip_id = $6
