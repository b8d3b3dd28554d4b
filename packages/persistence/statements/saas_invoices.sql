-- insert saas_invoices 2149f54264 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO saas_invoices ("number","business_id","status","currency","period_start","period_end","coupon_id","discount_minor","tax_minor","issued_on","due_date","lines","payments","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14) ON CONFLICT (number) DO NOTHING RETURNING saas_invoice_id

-- select saas_invoices 4ecdd65e7d (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT min(i.issued_on) AS first, max(i.issued_on) AS last FROM saas_invoices i WHERE i.coupon_id = $1::bigint AND i.business_id = $2 AND i.status <> 'void' HAVING count(*) > 0

-- select saas_invoices 89abd3679b (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.coupon_id, c.code, c.description, c.percent_off, c.amount_off_minor, c.currency, c.duration, c.duration_months, c.max_redemptions, ( SELECT count(DISTINCT i.business_id)::int FROM saas_invoices i WHERE i.coupon_id = c.coupon_id AND i.status <> 'void') AS times_redeemed, c.valid_until, c.active, c.created_at, (SELECT count(*) AS total FROM (SELECT FROM saas_coupons c WHERE true LIMIT $1) c) AS total FROM saas_coupons c WHERE true ORDER BY c.coupon_id LIMIT $2 OFFSET $3

-- select saas_invoices d8fcc8fcfe (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT c.coupon_id, c.code, c.description, c.percent_off, c.amount_off_minor, c.currency, c.duration, c.duration_months, c.max_redemptions, ( SELECT count(DISTINCT i.business_id)::int FROM saas_invoices i WHERE i.coupon_id = c.coupon_id AND i.status <> 'void') AS times_redeemed, c.valid_until, c.active, c.created_at FROM saas_coupons c WHERE c.coupon_id = $1::bigint

-- update saas_invoices 4e57ef786b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE saas_invoices SET status = $1, payments = $2::jsonb WHERE saas_invoice_id = $3
