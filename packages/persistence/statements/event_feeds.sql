-- insert event_feeds 37e556ebed (commands), accepted by Citus 13.2-1 on PostgreSQL 15.20 (Debian 15.20-0+deb12u1)
INSERT INTO event_feeds AS f (business_id, dropped_position) SELECT business_id, max(position) FROM events_1 WHERE position IS NOT NULL GROUP BY business_id ON CONFLICT (business_id) DO UPDATE SET dropped_position = greatest(f.dropped_position, excluded.dropped_position)
