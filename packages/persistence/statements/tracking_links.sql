-- delete tracking_links 7f9015dfeb (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM tracking_links WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])

-- delete tracking_links c18351ee82 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
DELETE FROM tracking_links WHERE business_id = $1 AND trip_id = $2 RETURNING trip_id

-- insert tracking_links 059d8fdbd1 (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO tracking_links (business_id, trip_id, token_hash, created_at) SELECT business_id, trip_id, $1, $2 FROM trips WHERE business_id = $3 AND trip_id = $4 AND deleted_at IS NULL AND status IN ('pending', 'confirmed', 'in_progress') ON CONFLICT (business_id, trip_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at RETURNING trip_id
