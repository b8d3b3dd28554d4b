-- select plans 52cf394818 (commands)
SELECT plan_id FROM plans WHERE code = $1

-- select plans 9f91b1cc6d (ports, requests)
SELECT plan_id, code, name, cars, drivers, invoices, seat_minor, currency, active, (SELECT count(*) AS total FROM (SELECT FROM plans WHERE active LIMIT $1) c) AS total FROM plans WHERE active ORDER BY plan_id LIMIT $2 OFFSET $3

-- select plans aeb032693b (ports, requests)
SELECT plan_id, code, name, cars, drivers, invoices, seat_minor, currency, active FROM plans WHERE plan_id = $1::bigint
