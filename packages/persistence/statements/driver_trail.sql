-- insert driver_trail 5ca4ef5ca3 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_trail (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()),($9, $10, $11, $12, $13, $14, $15, $16, statement_timestamp()) ON CONFLICT DO NOTHING

-- insert driver_trail 95221c0be1 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_trail (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()),($9, $10, $11, $12, $13, $14, $15, $16, statement_timestamp()),($17, $18, $19, $20, $21, $22, $23, $24, statement_timestamp()) ON CONFLICT DO NOTHING

-- insert driver_trail a94f7c6563 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_trail (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, statement_timestamp()) ON CONFLICT DO NOTHING

-- select driver_trail fd8119fa55 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT EXISTS (SELECT 1 FROM driver_trail LIMIT 1) AS holds
