-- declare trip_search 351be925e4 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "trip_id", "search" FROM trip_search WHERE business_id = 1 ORDER BY trip_id ) t

-- insert trip_search 2342bef2c9 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_search ("business_id","trip_id","search") VALUES ($1,$2,$3)

-- insert trip_search b88f8da920 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_search AS t ("business_id", "trip_id", "search") OVERRIDING SYSTEM VALUE SELECT "business_id", "trip_id", "search" FROM jsonb_populate_recordset(NULL::trip_search, $1::jsonb) ON CONFLICT ("business_id", "trip_id") DO UPDATE SET "search" = EXCLUDED."search" WHERE (t."search") IS DISTINCT FROM (EXCLUDED."search")

-- insert trip_search da629c2932 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_search (business_id, trip_id, search) SELECT $1::bigint, words.trip_id, words.search::tsvector FROM unnest($2::bigint[], $3::text[]) AS words (trip_id, search)

-- select trip_search 7d0231df42 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "trip_id" FROM trip_search WHERE business_id = 1) t

-- select trip_search 9725ef123b (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM trip_search WHERE business_id = 5

-- update trip_search 5863cc3820 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_search SET search = $1::tsvector WHERE business_id = $2 AND trip_id = $3

-- update trip_search 88d64c2fd9 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_search s SET search = words.search::tsvector FROM unnest($1::bigint[], $2::text[]) AS words (trip_id, search) WHERE s.business_id = $3 AND s.trip_id = words.trip_id AND s.search <> words.search::tsvector
