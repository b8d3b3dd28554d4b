-- insert customer_email_locks ba587fe3a1 (ports)
INSERT INTO customer_email_locks (business_id) VALUES ($1) ON CONFLICT DO NOTHING

-- select customer_email_locks 73d5591d01 (ports)
SELECT FROM customer_email_locks WHERE business_id = $1 FOR SHARE

-- select customer_email_locks 9a24087ce6 (ports, requests)
SELECT FROM customer_email_locks WHERE business_id = $1 FOR UPDATE
