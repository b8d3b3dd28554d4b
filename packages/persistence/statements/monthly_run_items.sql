-- insert monthly_run_items b7363f0ed1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO monthly_run_items (business_id, run_id, customer_id, currency, outcome, left_out) SELECT $1::bigint, $2::bigint, c.customer_id, c.currency, 'pending', '[]' FROM unnest($3::bigint[], $4::text[]) AS c (customer_id, currency)

-- select monthly_run_items 2e3a38eb0c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency, outcome, invoice_id, left_out, sending, reason FROM monthly_run_items WHERE business_id = $1 AND run_id = $2 AND customer_id = $3 AND currency = $4 AND outcome = 'pending' FOR NO KEY UPDATE SKIP LOCKED

-- select monthly_run_items 63c74f88c2 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency FROM monthly_run_items WHERE sending = 'pending' AND true ORDER BY business_id, run_id, customer_id, currency LIMIT $1

-- select monthly_run_items ad14addb25 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency FROM monthly_run_items WHERE outcome = 'pending' AND true ORDER BY business_id, run_id, customer_id, currency LIMIT $1

-- select monthly_run_items c4e45c43d7 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency, outcome, invoice_id, left_out, sending, reason FROM monthly_run_items WHERE business_id = $1 AND run_id = $2 AND customer_id = $3 AND currency = $4 AND sending = 'pending' FOR NO KEY UPDATE SKIP LOCKED

-- select monthly_run_items cc5dc01c30 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency FROM monthly_run_items WHERE outcome = 'pending' AND (business_id, run_id, customer_id, currency) > ($1, $2, $3, $4) ORDER BY business_id, run_id, customer_id, currency LIMIT $5

-- select monthly_run_items d8a6dc919c (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, run_id, customer_id, currency, outcome, invoice_id, left_out, sending, reason FROM monthly_run_items WHERE business_id = $1 AND run_id = $2 ORDER BY customer_id, currency

-- update monthly_run_items 6986379328 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE monthly_run_items SET outcome = $1, invoice_id = $2, left_out = $3, sending = $4, reason = $5 WHERE business_id = $6 AND run_id = $7 AND customer_id = $8 AND currency = $9
