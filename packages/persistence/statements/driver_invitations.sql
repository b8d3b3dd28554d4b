-- delete driver_invitations 263dd2c980 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_invitations WHERE business_id = $1 AND driver_id = ANY ($2::bigint[])

-- delete driver_invitations 79dcd182e7 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM driver_invitations WHERE business_id = $1 AND driver_id = $2

-- insert driver_invitations 317910ef37 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO driver_invitations (code_hash, business_id, driver_id, email, expires_at, created_at) VALUES ($1, $2, $3, $4, $5, $6)

-- select driver_invitations dbf65c91b1 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT business_id, driver_id, email FROM driver_invitations WHERE business_id = $1 AND code_hash = $2 AND used_at IS NULL AND expires_at > $3

-- update driver_invitations 60a3ba9e85 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE driver_invitations SET used_at = $1 WHERE business_id = $2 AND code_hash = $3 AND used_at IS NULL AND expires_at > $4 RETURNING business_id, driver_id, email
