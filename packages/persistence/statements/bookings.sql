-- declare bookings 223d5a8920 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "booking_id", "reference", "status", "product_id", "starts_at", "ends_at", "participants_count", "customer_id", "customer_name", "customer_email", "customer_phone", "pickup_address", "dropoff_address", "notes", "total_minor", "participant_minor", "currency", "trip_id", "invoice_id", "expires_at", "confirmed_at", "cancelled_at", "created_at", "updated_at", "deleted_at", "shares_trip" FROM bookings WHERE business_id = 1 ORDER BY booking_id ) t

-- insert bookings 7549f61943 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bookings ("business_id", "booking_id", "reference", "status", "product_id", "starts_at", "ends_at", "participants_count", "customer_id", "customer_name", "customer_email", "customer_phone", "pickup_address", "dropoff_address", "notes", "total_minor", "participant_minor", "currency", "trip_id", "invoice_id", "expires_at", "confirmed_at", "cancelled_at", "created_at", "updated_at", "deleted_at", "shares_trip") OVERRIDING SYSTEM VALUE SELECT "business_id", "booking_id", "reference", "status", "product_id", "starts_at", "ends_at", "participants_count", "customer_id", "customer_name", "customer_email", "customer_phone", "pickup_address", "dropoff_address", "notes", "total_minor", "participant_minor", "currency", "trip_id", "invoice_id", "expires_at", "confirmed_at", "cancelled_at", "created_at", "updated_at", "deleted_at", "shares_trip" FROM jsonb_populate_recordset(NULL::bookings, $1::jsonb) ON CONFLICT DO NOTHING

-- insert bookings 78053b9d61 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO bookings ("business_id","reference","status","product_id","starts_at","ends_at","participants_count","customer_id","customer_name","customer_email","customer_phone","pickup_address","dropoff_address","notes","total_minor","participant_minor","currency","trip_id","shares_trip","invoice_id","expires_at","confirmed_at","cancelled_at","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17,$18,$19,$20,$21,$22,$23,$24,$25) ON CONFLICT (business_id, reference) DO NOTHING RETURNING business_id, product_id, booking_id

-- select bookings 10dcc821bb (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM bookings WHERE business_id = 5

-- select bookings 2a3eabe6d6 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.starts_at, sum(b.participants_count)::int AS taken, coalesce(sum(b.participants_count) FILTER (WHERE b.trip_id IS NOT NULL), 0)::int AS on_trip, max(b.trip_id) AS trip_id, coalesce(bool_or(t.deleted_at IS NOT NULL OR t.status = 'cancelled'), false) AS is_cancelled FROM bookings b LEFT JOIN trips t ON t.business_id = $1 AND t.trip_id = b.trip_id WHERE b.business_id = $2 AND b.product_id = $3 AND b.shares_trip AND b.deleted_at IS NULL AND b.starts_at >= $4 AND b.starts_at < $5 AND b.status IN ('pending', 'confirmed', 'completed') AND NOT (b.status = 'pending' AND b.expires_at IS NOT NULL AND b.expires_at <= $6 AND (SELECT p.payment_status FROM booking_payments p WHERE p.business_id = $7::bigint AND p.booking_id = b.booking_id) = 'unpaid') GROUP BY b.starts_at ORDER BY b.starts_at

-- select bookings 5cc04193d8 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, product_id, booking_id FROM bookings b WHERE business_id = $1 AND product_id = $2 AND deleted_at IS NULL AND (b.status = 'pending' AND b.expires_at IS NOT NULL AND b.expires_at <= $3 AND (SELECT p.payment_status FROM booking_payments p WHERE p.business_id = $4::bigint AND p.booking_id = b.booking_id) = 'unpaid') ORDER BY booking_id

-- select bookings 68969f36e8 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT r.booking_id AS id FROM bookings r WHERE r.business_id = $1 AND r.deleted_at IS NULL AND r.status IN ('pending', 'confirmed') AND (r.customer_id = ANY ($2::bigint[]) OR (lower((concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) COLLATE "C") LIKE ANY ($3::text[]) AND lower(concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) ~ ANY ($4::text[])) OR ($5 AND ((coalesce(r.customer_phone, '')) ~ ANY ($6::text[]) OR ('') ~ ANY ($7::text[])))) ORDER BY 1 LIMIT $8

-- select bookings 96fdf24573 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM (SELECT max("booking_id") AS highest FROM bookings WHERE business_id = 5) s WHERE s.highest > coalesce(pg_sequence_last_value('public.bookings_booking_id_seq'::regclass), 0)

-- select bookings b584be6045 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT booking_id FROM bookings WHERE business_id = $1 AND product_id = $2 AND status IN ('pending', 'confirmed') AND ends_at > $3 AND deleted_at IS NULL ORDER BY booking_id LIMIT $4

-- select bookings c3f67c24a1 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "booking_id", "reference", "status", "product_id", "starts_at", "ends_at", "participants_count", "customer_id", "customer_name", "customer_email", "customer_phone", "pickup_address", "dropoff_address", "notes", "total_minor", "participant_minor", "currency", "trip_id", "invoice_id", "expires_at", "confirmed_at", "cancelled_at", "created_at", "updated_at", "deleted_at", "shares_trip" FROM bookings WHERE business_id = 1) t

-- select bookings c9f5c58410 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, product_id, booking_id FROM bookings WHERE business_id = $1 AND trip_id = $2 LIMIT 1

-- select bookings cd41587d8d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, product_id, booking_id FROM bookings b WHERE deleted_at IS NULL AND (b.status = 'pending' AND b.expires_at IS NOT NULL AND b.expires_at <= $1 AND (SELECT p.payment_status FROM booking_payments p WHERE p.business_id = b.business_id AND p.booking_id = b.booking_id) = 'unpaid') ORDER BY expires_at LIMIT $2

-- update bookings 0c3c3b7af5 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE bookings SET "status" = $1, "starts_at" = $2, "ends_at" = $3, "participants_count" = $4, "customer_id" = $5, "customer_name" = $6, "customer_email" = $7, "customer_phone" = $8, "pickup_address" = $9, "dropoff_address" = $10, "notes" = $11, "total_minor" = $12, "participant_minor" = $13, "currency" = $14, "trip_id" = $15, "shares_trip" = $16, "expires_at" = $17, "confirmed_at" = $18, "cancelled_at" = $19, "updated_at" = $20 WHERE business_id = $21 AND booking_id = $22 AND deleted_at IS NULL

-- update bookings 8c55386bab (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE bookings SET "customer_name" = $1, "customer_email" = $2, "customer_phone" = $3, "pickup_address" = $4, "dropoff_address" = $5, "notes" = $6, "customer_id" = $7, "updated_at" = $8 WHERE business_id = $9 AND booking_id IN ( SELECT r.booking_id FROM bookings r WHERE r.business_id = $10 AND (r.customer_id = ANY ($11::bigint[]) OR (lower((concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) COLLATE "C") LIKE ANY ($12::text[]) AND lower(concat_ws(' ', r.customer_name, r.customer_email, r.customer_phone, r.pickup_address, r.dropoff_address, r.notes)) ~ ANY ($13::text[])) OR ($14 AND ((coalesce(r.customer_phone, '')) ~ ANY ($15::text[]) OR ('') ~ ANY ($16::text[])))) ORDER BY r.booking_id LIMIT $17 FOR NO KEY UPDATE) RETURNING booking_id AS id

-- update bookings c0fa3f519d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE bookings SET invoice_id = $1 WHERE business_id = $2 AND booking_id = $3 AND deleted_at IS NULL

-- update bookings eaccd6ed79 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE bookings SET deleted_at = $1 WHERE business_id = $2 AND booking_id = $3 AND deleted_at IS NULL
