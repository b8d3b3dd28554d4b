-- declare trip_fares 241c15632a (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "trip_id", "tariff_id", "tariff_version", "currency", "quoted", "final" FROM trip_fares WHERE business_id = 1 ORDER BY trip_id ) t

-- insert trip_fares 8965041e1e (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_fares AS t ("business_id", "trip_id", "tariff_id", "tariff_version", "currency", "quoted", "final") OVERRIDING SYSTEM VALUE SELECT "business_id", "trip_id", "tariff_id", "tariff_version", "currency", "quoted", "final" FROM jsonb_populate_recordset(NULL::trip_fares, $1::jsonb) ON CONFLICT ("business_id", "trip_id") DO UPDATE SET "tariff_id" = EXCLUDED."tariff_id", "tariff_version" = EXCLUDED."tariff_version", "currency" = EXCLUDED."currency", "quoted" = EXCLUDED."quoted", "final" = EXCLUDED."final" WHERE (t."tariff_id", t."tariff_version", t."currency", t."quoted", t."final") IS DISTINCT FROM (EXCLUDED."tariff_id", EXCLUDED."tariff_version", EXCLUDED."currency", EXCLUDED."quoted", EXCLUDED."final")

-- insert trip_fares fd757faccd (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO trip_fares ("business_id","trip_id","tariff_id","tariff_version","currency","quoted","final") VALUES ($1,$2,$3,$4,$5,$6,$7) ON CONFLICT (business_id, trip_id) DO UPDATE SET tariff_id = excluded.tariff_id, tariff_version = excluded.tariff_version, currency = excluded.currency, quoted = excluded.quoted, final = excluded.final

-- select trip_fares 178f6eba88 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, trip_id, tariff_id, tariff_version, currency, quoted, final FROM trip_fares WHERE business_id = $1 AND trip_id = ANY($2::bigint[]) ORDER BY trip_id

-- select trip_fares 56ddb29c52 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM trip_fares WHERE business_id = 5

-- select trip_fares 75f59c3c44 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, trip_id, tariff_id, tariff_version, currency, quoted, final FROM trip_fares WHERE business_id = $1 AND trip_id = $2

-- select trip_fares eeb310df88 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "trip_id", "tariff_id", "tariff_version", "currency", "quoted", "final" FROM trip_fares WHERE business_id = 1) t

-- update trip_fares 175ed22b68 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE trip_fares SET quoted = jsonb_set(jsonb_set(jsonb_set(quoted, '{inputs,child_seats}', '[]'), '{inputs,pickup}', quoted #> '{inputs,pickup}' || '{"postal_code": null, "lat": null, "lng": null}'), '{inputs,dropoff}', quoted #> '{inputs,dropoff}' || '{"postal_code": null, "lat": null, "lng": null}'), final = jsonb_set(jsonb_set(jsonb_set(final, '{inputs,child_seats}', '[]'), '{inputs,pickup}', final #> '{inputs,pickup}' || '{"postal_code": null, "lat": null, "lng": null}'), '{inputs,dropoff}', final #> '{inputs,dropoff}' || '{"postal_code": null, "lat": null, "lng": null}') WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])
