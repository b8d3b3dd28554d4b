-- insert customer_email_locks ba587fe3a1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO customer_email_locks (business_id) VALUES ($1) ON CONFLICT DO NOTHING

-- select customer_email_locks 73d5591d01 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM customer_email_locks WHERE business_id = $1 FOR SHARE

-- select customer_email_locks 9a24087ce6 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM customer_email_locks WHERE business_id = $1 FOR UPDATE
