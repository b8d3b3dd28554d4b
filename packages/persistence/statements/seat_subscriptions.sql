-- insert seat_subscriptions d3e0cf648a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO seat_subscriptions ("business_id","attempt","attempted","due_at","lease","leased_until","quantity") VALUES ($1,$2,$3,$4,$5,$6,$7) ON CONFLICT (business_id) DO UPDATE SET "attempt" = $8, "attempted" = $9, "due_at" = $10, "lease" = $11, "leased_until" = $12, "quantity" = $13

-- select seat_subscriptions 79d72a761b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT s.business_id FROM seat_subscriptions s JOIN businesses b ON b.business_id = s.business_id WHERE s.due_at <= $1 AND b.subscription_item_id IS NOT NULL ORDER BY s.due_at, s.business_id LIMIT $2
