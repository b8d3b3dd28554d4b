-- declare retained_parties 1a4f3a7c29 (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DECLARE exported NO SCROLL CURSOR FOR SELECT to_jsonb(t) AS row FROM ( SELECT "kind", "record_id", "party", "retained_at" FROM retained_parties WHERE business_id = 1 ORDER BY kind, record_id ) t

-- insert retained_parties 16ccefb17b (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at) SELECT business_id, 'trip', trip_id, jsonb_build_object('customer_name', customer_name, 'po_number', details ->> 'po_number', 'cost_center', details ->> 'cost_center'), $1 FROM trips WHERE business_id = $2 AND trip_id = ANY ($3::bigint[]) AND invoice_id IS NOT NULL ON CONFLICT DO NOTHING

-- insert retained_parties 58fe72230e (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO retained_parties (business_id, kind, record_id, party, retained_at) SELECT c.business_id, 'customer', c.customer_id, jsonb_build_object('name', c.name, 'company', c.company, 'address', c.address, 'country', c.country, 'vat_number', c.vat_number), $1 FROM customers c WHERE c.business_id = $2 AND c.customer_id = ANY ($3::bigint[]) AND EXISTS ( SELECT FROM invoices i WHERE i.business_id = $4 AND i.customer_id = c.customer_id) ON CONFLICT DO NOTHING

-- select retained_parties a2a6403fae (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum FROM (SELECT "kind", "record_id", "party", "retained_at" FROM retained_parties WHERE business_id = 1) t

-- select retained_parties e22b8d9dee (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT count(*)::int8 AS rows FROM retained_parties WHERE business_id = 5
