-- delete linked_identities 02e63529e4 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM linked_identities WHERE user_id = ANY ($1::bigint[])

-- insert linked_identities c7a38e7eb6 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO linked_identities (issuer, subject, user_id, linked_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING user_id

-- select linked_identities ead11221d4 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT u.user_id, u.email, u.name, u.mobile_phone, u.account_type, u.email_verified_at IS NOT NULL AS email_verified FROM linked_identities i JOIN users u USING (user_id) WHERE i.issuer = $1 AND i.subject = $2
