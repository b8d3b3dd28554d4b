-- declare cars ebdc341111 (commands)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "car_id", "name", "plate_number", "make", "model", "year", "color", "vehicle_class", "seats", "luggage", "photo_url", "active", "created_at", "updated_at", "deleted_at", "external_ref" FROM cars WHERE business_id = 1 ORDER BY car_id ) t

-- delete cars 8d3efd2581 (ports)
DELETE FROM cars WHERE business_id = $1 AND car_id = $2 AND deleted_at IS NULL AND NOT EXISTS (SELECT FROM trips WHERE business_id = $3 AND car_id = $4) AND NOT EXISTS (SELECT FROM assignments WHERE business_id = $5 AND car_id = $6)

-- insert cars a8c2c7e81b (commands)
INSERT INTO cars ("business_id", "car_id", "name", "plate_number", "make", "model", "year", "color", "vehicle_class", "seats", "luggage", "photo_url", "active", "created_at", "updated_at", "deleted_at", "external_ref") OVERRIDING SYSTEM VALUE SELECT "business_id", "car_id", "name", "plate_number", "make", "model", "year", "color", "vehicle_class", "seats", "luggage", "photo_url", "active", "created_at", "updated_at", "deleted_at", "external_ref" FROM jsonb_populate_recordset(NULL::cars, $1::jsonb) ON CONFLICT DO NOTHING

-- insert cars d81d79a0ed (ports, requests)
INSERT INTO cars ("external_ref","name","plate_number","make","model","year","color","vehicle_class","seats","luggage","photo_url","active","business_id","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15) RETURNING car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at

-- select cars 10c740be5f (ports)
SELECT count(*) AS count FROM ( SELECT FROM cars WHERE business_id = $1 AND vehicle_class >= $2 AND vehicle_class <= $3 ORDER BY vehicle_class LIMIT 1001) c

-- select cars 21c970f630 (commands)
SELECT count(*)::int8 AS rows FROM (SELECT max("car_id") AS highest FROM cars WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.cars_car_id_seq'::regclass), 0)

-- select cars 4cd1442e60 (ports)
SELECT count(*) AS total FROM (SELECT FROM cars WHERE (business_id = $1 AND deleted_at IS NULL) LIMIT $2) c

-- select cars 5b3ceb1363 (ports, requests)
SELECT car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at FROM cars WHERE business_id = $1 AND car_id = $2 AND deleted_at IS NULL

-- select cars 726a4dc765 (commands)
SELECT count(*)::int8 AS rows FROM cars WHERE business_id = 5

-- select cars a037529b98 (ports, requests)
SELECT car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at FROM cars WHERE business_id = $1 AND car_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE

-- select cars a74f9a010b (ports, requests)
SELECT car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM cars WHERE (business_id = $1 AND deleted_at IS NULL) LIMIT $2) c) AS total FROM cars WHERE (business_id = $3 AND deleted_at IS NULL) ORDER BY name, car_id LIMIT $4 OFFSET $5

-- select cars b7ac30ff6a (ports, requests)
SELECT coalesce(( SELECT json_agg(json_build_object('car_id', car_id, 'seats', seats, 'vehicle_class', vehicle_class) ORDER BY car_id) FROM cars WHERE business_id = $1 AND car_id = ANY ($2::bigint[])), '[]'::json) AS cars, coalesce(( SELECT json_agg(json_build_object('driver_id', driver_id, 'license_expires_on', license_expires_on) ORDER BY driver_id) FROM drivers WHERE business_id = $3 AND driver_id = ANY ($4::bigint[]) AND license_expires_on IS NOT NULL), '[]'::json) AS licenses, coalesce(( SELECT json_agg(d.id ORDER BY d.id) FROM customers c, unnest(c.refused_driver_ids) AS d (id) WHERE c.business_id = $5 AND c.customer_id = $6 AND d.id = ANY ($7::bigint[])), '[]'::json) AS refused, array_to_json(ARRAY( SELECT t.trip_id FROM trips t WHERE t.business_id = $8 AND t.trip_date = $9::timestamptz AND lower(t.pickup_address) = lower($10::text) AND lower(t.customer_name) = lower($11::text) AND t.trip_id <> $12 AND t.deleted_at IS NULL AND t.status <> 'cancelled' ORDER BY t.trip_id LIMIT $13)) AS duplicates

-- select cars c23c712a36 (ports, requests)
SELECT (SELECT count(*) FROM cars WHERE business_id = $1 AND active AND deleted_at IS NULL) AS cars, (SELECT count(*) FROM drivers WHERE business_id = $2 AND active AND deleted_at IS NULL) AS drivers, (SELECT count(*) FROM driver_seats WHERE business_id = $3 AND ended_at IS NULL) AS seats, (SELECT count(*) FROM business_members WHERE business_id = $4) AS members, (SELECT count(*) FROM customers WHERE business_id = $5 AND deleted_at IS NULL) AS customers, (SELECT count(*) FROM trips WHERE business_id = $6 AND deleted_at IS NULL) AS trips, (SELECT count(*) FROM trips WHERE business_id = $7 AND deleted_at IS NULL AND created_at >= $8) AS trips_this_month, (SELECT count(*) FROM invoices WHERE business_id = $9) AS invoices, (SELECT count(*) FROM invoices WHERE business_id = $10 AND created_at >= $11) AS invoices_this_month, (SELECT count(*) FROM event_history WHERE business_id = $12 AND NOT sample) AS events, (SELECT count(*) FROM webhook_endpoints WHERE business_id = $13 AND deleted_at IS NULL) AS webhooks, (SELECT count(*) FROM api_keys WHERE business_id = $14) AS api_keys, greatest( (SELECT max(created_at) FROM event_history WHERE business_id = $15 AND NOT sample), (SELECT max(last_used_at) FROM api_keys WHERE business_id = $16) ) AS last_activity_at

-- select cars c46c077d41 (ports, requests)
SELECT car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at FROM cars WHERE business_id = $1 AND car_id = $2 AND deleted_at IS NULL FOR UPDATE

-- select cars c6b99b00e3 (ports, requests)
SELECT t.trip_id, t.status AS trip_status, t.driver_status, t.trip_date, t.details ->> 'pickup_timezone' AS pickup_timezone, t.deleted_at IS NOT NULL AS deleted, CASE t.status WHEN 'completed' THEN t.completed_at WHEN 'cancelled' THEN t.cancelled_at END AS ended_at, b.business_id, b.business_name, b.status, b.currency, b.timezone, l.token_hash AS link_hash, b.pickup_pin AS asks_pin, b.phone, b.logo_url, b.accent_color, t.pickup_lat, t.pickup_lng, t.dropoff_lat, t.dropoff_lng, r.driver_name, (SELECT json_build_object('make', c.make, 'model', c.model, 'color', c.color, 'vehicle_class', c.vehicle_class, 'plate_number', c.plate_number) FROM cars c WHERE c.business_id = t.business_id AND c.car_id = coalesce(r.car_id, t.car_id)) AS car, (SELECT m.milestone FROM assignment_milestones m WHERE m.business_id = t.business_id AND m.assignment_id = r.assignment_id AND m.stop_index = 0 AND m.milestone <> 'arrived_at_stop' ORDER BY m.at DESC, m.milestone DESC LIMIT 1) AS milestone, r.lat, r.lng, r.accuracy, r.heading, r.speed, r.recorded_at FROM unnest( $1::bigint[], $2::bigint[] ) AS f (business_id, trip_id) JOIN trips t USING (business_id, trip_id) LEFT JOIN tracking_links l USING (business_id, trip_id) JOIN businesses b ON b.business_id = t.business_id LEFT JOIN LATERAL ( SELECT a.assignment_id, a.car_id, d.name AS driver_name, p.lat, p.lng, p.accuracy, p.heading, p.speed, p.recorded_at FROM assignments a JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id LEFT JOIN driver_positions p ON p.business_id = a.business_id AND p.assignment_id = a.assignment_id AND a.status = 'en_route' WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND (a.status IN ('assigned', 'en_route')) IS TRUE ORDER BY a.status = 'en_route' DESC, p.recorded_at DESC NULLS LAST, a.assignment_id LIMIT 1 ) r ON true

-- select cars d21cd126d1 (ports, requests)
SELECT car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM cars WHERE (business_id = $1 AND deleted_at IS NULL AND active = $2) LIMIT $3) c) AS total FROM cars WHERE (business_id = $4 AND deleted_at IS NULL AND active = $5) ORDER BY name, car_id LIMIT $6 OFFSET $7

-- select cars d9068a1d67 (ports, requests)
SELECT car_id FROM cars WHERE business_id = $1 AND car_id = ANY ($2::bigint[]) AND active AND deleted_at IS NULL ORDER BY car_id FOR KEY SHARE

-- select cars d93e5e21b2 (ports)
SELECT t.trip_id, t.status AS trip_status, t.driver_status, t.trip_date, t.details ->> 'pickup_timezone' AS pickup_timezone, t.deleted_at IS NOT NULL AS deleted, CASE t.status WHEN 'completed' THEN t.completed_at WHEN 'cancelled' THEN t.cancelled_at END AS ended_at, b.business_id, b.business_name, b.status, b.currency, b.timezone, l.token_hash AS link_hash, b.pickup_pin AS asks_pin, b.phone, b.logo_url, b.accent_color, t.pickup_lat, t.pickup_lng, t.dropoff_lat, t.dropoff_lng, r.driver_name, (SELECT json_build_object('make', c.make, 'model', c.model, 'color', c.color, 'vehicle_class', c.vehicle_class, 'plate_number', c.plate_number) FROM cars c WHERE c.business_id = t.business_id AND c.car_id = coalesce(r.car_id, t.car_id)) AS car, (SELECT m.milestone FROM assignment_milestones m WHERE m.business_id = t.business_id AND m.assignment_id = r.assignment_id AND m.stop_index = 0 AND m.milestone <> 'arrived_at_stop' ORDER BY m.at DESC, m.milestone DESC LIMIT 1) AS milestone, r.lat, r.lng, r.accuracy, r.heading, r.speed, r.recorded_at FROM tracking_links l JOIN trips t ON l.business_id = $1 AND l.token_hash = $2 AND t.business_id = $3 AND t.trip_id = l.trip_id JOIN businesses b ON b.business_id = t.business_id LEFT JOIN LATERAL ( SELECT a.assignment_id, a.car_id, d.name AS driver_name, p.lat, p.lng, p.accuracy, p.heading, p.speed, p.recorded_at FROM assignments a JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id LEFT JOIN driver_positions p ON p.business_id = a.business_id AND p.assignment_id = a.assignment_id AND a.status = 'en_route' WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND (a.status IN ('assigned', 'en_route')) IS TRUE ORDER BY a.status = 'en_route' DESC, p.recorded_at DESC NULLS LAST, a.assignment_id LIMIT 1 ) r ON true

-- select cars e55ec3697b (ports)
SELECT FROM cars WHERE business_id = $1 AND car_id = $2 AND active AND deleted_at IS NULL FOR KEY SHARE

-- select cars ecb81fac1b (ports, requests)
SELECT d.name, (SELECT json_build_object('car_id', c.car_id, 'name', c.name, 'plate_number', c.plate_number, 'make', c.make, 'model', c.model, 'color', c.color, 'vehicle_class', c.vehicle_class, 'seats', c.seats) FROM cars c WHERE c.business_id = $1 AND c.car_id = d.default_car_id AND c.deleted_at IS NULL) AS default_car, (SELECT count(*) FROM assignments a WHERE a.business_id = $2 AND a.driver_id = $3 AND (a.status <> 'cancelled' OR NOT EXISTS ( SELECT FROM ( SELECT driver_id FROM assignments WHERE business_id = $4 AND trip_id = a.trip_id AND assignment_id > a.assignment_id OFFSET 0) later WHERE later.driver_id = a.driver_id)) AND ( SELECT deleted.trip_id FROM trips deleted WHERE deleted.business_id = $5 AND deleted.trip_id = a.trip_id AND deleted.deleted_at IS NOT NULL) IS NULL AND a.status <> 'cancelled' AND a.trip_date >= $6 AND a.trip_date < $7) AS trips_today, (SELECT count(*) FROM ((SELECT a.trip_id, a.car_id FROM assignments a WHERE a.business_id = $8 AND a.driver_id = $9 AND a.status = 'assigned' AND (a.trip_ends_at > $10) AND a.trip_date > $11::timestamptz - make_interval(mins => $12::int) ) UNION ALL (SELECT a.trip_id, a.car_id FROM assignments a WHERE a.business_id = $13 AND a.driver_id = $14 AND a.status = 'en_route' )) a) AS trips_upcoming, ( SELECT count(*) FROM assignments a WHERE a.business_id = $15 AND a.driver_id = $16 AND a.status = 'completed' AND NOT EXISTS ( SELECT FROM trips deleted WHERE deleted.business_id = $17 AND deleted.trip_id = a.trip_id AND deleted.deleted_at IS NOT NULL)) AS trips_completed, coalesce(( SELECT json_agg(json_build_object('car_id', c.car_id, 'name', c.name, 'plate_number', c.plate_number, 'make', c.make, 'model', c.model, 'color', c.color, 'vehicle_class', c.vehicle_class, 'seats', c.seats) ORDER BY c.name, c.car_id) FROM cars c WHERE c.business_id = $18 AND c.car_id IN ( SELECT coalesce(a.car_id, t.car_id) FROM ((SELECT a.trip_id, a.car_id FROM assignments a WHERE a.business_id = $19 AND a.driver_id = $20 AND a.status = 'assigned' AND (a.trip_ends_at > $21) AND a.trip_date > $22::timestamptz - make_interval(mins => $23::int) ) UNION ALL (SELECT a.trip_id, a.car_id FROM assignments a WHERE a.business_id = $24 AND a.driver_id = $25 AND a.status = 'en_route' )) a JOIN trips t ON t.business_id = $26 AND t.trip_id = a.trip_id)), '[]') AS upcoming_cars FROM drivers d WHERE d.business_id = $27 AND d.driver_id = $28

-- select cars f2bc43935c (ports)
SELECT count(*) AS count FROM cars WHERE business_id = $1 AND deleted_at IS NULL AND active

-- select cars fd99175b3a (commands)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "car_id", "name", "plate_number", "make", "model", "year", "color", "vehicle_class", "seats", "luggage", "photo_url", "active", "created_at", "updated_at", "deleted_at", "external_ref" FROM cars WHERE business_id = 1) t

-- update cars 28c1ae8e6d (ports)
UPDATE cars SET deleted_at = $1 WHERE business_id = $2 AND car_id = $3 AND deleted_at IS NULL

-- update cars 4979e135d3 (ports, requests)
UPDATE cars SET "external_ref" = $1, "name" = $2, "plate_number" = $3, "make" = $4, "model" = $5, "year" = $6, "color" = $7, "vehicle_class" = $8, "seats" = $9, "luggage" = $10, "photo_url" = $11, "active" = $12, "updated_at" = $13 WHERE business_id = $14 AND car_id = $15 AND deleted_at IS NULL RETURNING car_id, business_id, external_ref, name, plate_number, make, model, year, color, vehicle_class, seats, luggage, photo_url, active, created_at, updated_at
