-- select plans 52cf394818 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT plan_id FROM plans WHERE code = $1

-- select plans 9f91b1cc6d (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT plan_id, code, name, cars, drivers, invoices, seat_minor, currency, active, (SELECT count(*) AS total FROM (SELECT FROM plans WHERE active LIMIT $1) c) AS total FROM plans WHERE active ORDER BY plan_id LIMIT $2 OFFSET $3

-- select plans aeb032693b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT plan_id, code, name, cars, drivers, invoices, seat_minor, currency, active FROM plans WHERE plan_id = $1::bigint
