-- delete driver_positions 27098bbab9 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_positions WHERE business_id = $1 AND assignment_id = ANY ($2::bigint[])

-- delete driver_positions b7dd19ff51 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_positions p USING (SELECT DISTINCT business_id, assignment_id FROM driver_trail_1) g WHERE p.business_id = g.business_id AND p.assignment_id = g.assignment_id AND p.received_at <= ( SELECT ended_at FROM table_generations WHERE 'driver_trail_' || generation = 'driver_trail_1' AND table_name = 'driver_trail')

-- insert driver_positions 1ecb11645c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_positions AS p (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()) ON CONFLICT (business_id, assignment_id) DO UPDATE SET recorded_at = excluded.recorded_at, lat = excluded.lat, lng = excluded.lng, accuracy = excluded.accuracy, heading = excluded.heading, speed = excluded.speed, received_at = excluded.received_at WHERE p.recorded_at <= excluded.recorded_at

-- insert driver_positions 330b3ea8f9 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_positions AS p (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()),($9, $10, $11, $12, $13, $14, $15, $16, statement_timestamp()) ON CONFLICT (business_id, assignment_id) DO UPDATE SET recorded_at = excluded.recorded_at, lat = excluded.lat, lng = excluded.lng, accuracy = excluded.accuracy, heading = excluded.heading, speed = excluded.speed, received_at = excluded.received_at WHERE p.recorded_at <= excluded.recorded_at

-- insert driver_positions 45e48ba29d (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_positions AS p (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()),($9, $10, $11, $12, $13, $14, $15, $16, statement_timestamp()),($17, $18, $19, $20, $21, $22, $23, $24, statement_timestamp()) ON CONFLICT (business_id, assignment_id) DO UPDATE SET recorded_at = excluded.recorded_at, lat = excluded.lat, lng = excluded.lng, accuracy = excluded.accuracy, heading = excluded.heading, speed = excluded.speed, received_at = excluded.received_at WHERE p.recorded_at <= excluded.recorded_at
