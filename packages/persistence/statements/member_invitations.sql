-- delete member_invitations 1fafe1ddb5 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM member_invitations WHERE business_id = $1 AND email = ANY ($2::text[])

-- delete member_invitations 59aa8a5603 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM member_invitations WHERE business_id = $1 AND email = $2 AND expires_at > $3 RETURNING email, name, role

-- delete member_invitations b37de483f1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM member_invitations WHERE business_id = $1 AND code_hash = $2 AND expires_at > $3 RETURNING email, name, role

-- delete member_invitations e2d08e54db (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM member_invitations WHERE email = ANY ($1::text[])

-- insert member_invitations 6bc1ef559a (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO member_invitations (business_id, code_hash, email, name, role, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (business_id, email) DO UPDATE SET code_hash = excluded.code_hash, name = excluded.name, role = excluded.role, expires_at = excluded.expires_at, created_at = excluded.created_at

-- select member_invitations 2f32e69d55 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT email, name, role FROM member_invitations WHERE business_id = $1 AND code_hash = $2 AND expires_at > $3

-- select member_invitations b015e91806 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT email, name, role, created_at, expires_at, (SELECT count(*) AS total FROM (SELECT FROM member_invitations WHERE business_id = $1 AND expires_at > $2 LIMIT $3) c) AS total FROM member_invitations WHERE business_id = $4 AND expires_at > $5 ORDER BY email LIMIT $6 OFFSET $7
