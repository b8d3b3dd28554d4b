-- insert driver_seats da467a3d8e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_seats (business_id, driver_id, price_minor, currency, started_at) VALUES ($1, $2, $3, $4, $5)

-- select driver_seats cd1f888a3c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT b.subscription_item_id AS item_id, (SELECT count(*) FROM driver_seats WHERE business_id = $1 AND ended_at IS NULL) AS seats, s.quantity, COALESCE(s.attempt, 0) AS attempt, s.attempted, COALESCE(s.lease, 0) AS lease, s.leased_until, COALESCE(s.due_at, b.updated_at) AS due_at FROM businesses b LEFT JOIN seat_subscriptions s ON s.business_id = b.business_id AND s.business_id = $2 WHERE b.business_id = $3 AND b.subscription_item_id IS NOT NULL

-- update driver_seats ad9ae79d46 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE driver_seats SET ended_at = $1 WHERE business_id = $2 AND seat_id IN ( SELECT seat_id FROM driver_seats WHERE business_id = $3 AND ended_at IS NULL ORDER BY (driver_id = $4) DESC, seat_id DESC LIMIT $5)
