-- insert notices 2730603524 (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notices ("business_id","trip_id","kind","party","driver_id","channel","address","status","reason","segments","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12) RETURNING notice_id, trip_id, kind, party, driver_id, channel, address, status, reason, segments, created_at, updated_at

-- insert notices a16dd179e2 (requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO notices ("business_id","trip_id","kind","party","driver_id","segments","channel","address","status","reason","created_at","updated_at") VALUES ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12) RETURNING notice_id, trip_id, kind, party, driver_id, channel, address, status, reason, segments, created_at, updated_at

-- select notices 725c20539e (ports, requests), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT notice_id, trip_id, kind, party, driver_id, channel, address, status, reason, segments, created_at, updated_at, (SELECT count(*) AS total FROM (SELECT FROM notices WHERE business_id = $1 AND trip_id = $2 LIMIT $3) c) AS total FROM notices WHERE business_id = $4 AND trip_id = $5 ORDER BY notice_id LIMIT $6 OFFSET $7

-- select notices d18ac8fbde (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
SELECT notice_id FROM notices WHERE business_id = $1 AND trip_id = $2 AND kind = $3 AND created_at >= $4 AND true LIMIT 1

-- update notices 1a90c5766c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE notices SET address = NULL WHERE business_id = $1 AND trip_id = ANY ($2::bigint[]) AND address IS NOT NULL

-- update notices b9c9c8d43c (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE notices SET "status" = $1, "reason" = $2, "updated_at" = $3 WHERE business_id = $4 AND reference = $5 AND status = $6 RETURNING notice_id

-- update notices c4cef1774a (ports), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
UPDATE notices SET "status" = $1, "reference" = $2, "segments" = $3, "updated_at" = $4 WHERE business_id = $5 AND notice_id = $6 RETURNING notice_id, trip_id, kind, party, driver_id, channel, address, status, reason, segments, created_at, updated_at
