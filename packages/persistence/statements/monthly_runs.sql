-- insert monthly_runs 18f8c32465 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO monthly_runs (business_id, month, terms, trips_without_customer, created_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT (business_id, month) WHERE finished_at IS NULL DO NOTHING RETURNING run_id

-- select monthly_runs 05823c6256 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT run_id, business_id, month, terms, trips_without_customer, created_at, finished_at FROM monthly_runs WHERE business_id = $1 AND run_id = $2

-- select monthly_runs 71c7977b10 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT run_id, business_id, month, terms, trips_without_customer, created_at, finished_at FROM monthly_runs WHERE business_id = $1 AND month = $2 AND finished_at IS NULL

-- update monthly_runs 7b78732170 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE monthly_runs SET finished_at = $1 WHERE business_id = $2 AND run_id = $3 AND finished_at IS NULL AND NOT EXISTS ( SELECT FROM monthly_run_items WHERE business_id = $4 AND run_id = $5 AND (outcome = 'pending' OR sending = 'pending'))
