-- delete tracking_links 7f9015dfeb (ports)
DELETE FROM tracking_links WHERE business_id = $1 AND trip_id = ANY ($2::bigint[])

-- delete tracking_links c18351ee82 (ports, requests)
DELETE FROM tracking_links WHERE business_id = $1 AND trip_id = $2 RETURNING trip_id

-- insert tracking_links 059d8fdbd1 (ports, requests)
INSERT INTO tracking_links (business_id, trip_id, token_hash, created_at) SELECT business_id, trip_id, $1, $2 FROM trips WHERE business_id = $3 AND trip_id = $4 AND deleted_at IS NULL AND status IN ('pending', 'confirmed', 'in_progress') ON CONFLICT (business_id, trip_id) DO UPDATE SET token_hash = excluded.token_hash, created_at = excluded.created_at RETURNING trip_id
