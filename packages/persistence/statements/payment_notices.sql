-- insert payment_notices 3c585a46cb (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO payment_notices (business_id, event_id, received_at) VALUES ($1, $2, $3) ON CONFLICT (business_id, event_id) DO NOTHING RETURNING event_id
