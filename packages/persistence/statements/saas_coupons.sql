-- insert saas_coupons 813009ca6b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO saas_coupons AS c ("code","description","percent_off","amount_off_minor","currency","duration","duration_months","max_redemptions","valid_until","created_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10) ON CONFLICT (code) DO NOTHING RETURNING c.coupon_id, c.code, c.description, c.percent_off, c.amount_off_minor, c.currency, c.duration, c.duration_months, c.max_redemptions, ( SELECT count(DISTINCT i.business_id)::int FROM saas_invoices i WHERE i.coupon_id = c.coupon_id AND i.status <> 'void') AS times_redeemed, c.valid_until, c.active, c.created_at

-- select saas_coupons 8790f8a1f6 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT FROM saas_coupons WHERE coupon_id = $1::bigint FOR NO KEY UPDATE

-- update saas_coupons 7aaf9527ba (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE saas_coupons SET active = $1 WHERE coupon_id = $2::bigint
