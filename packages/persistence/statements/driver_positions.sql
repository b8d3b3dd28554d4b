-- delete driver_positions 27098bbab9 (ports)
DELETE FROM driver_positions WHERE business_id = $1 AND assignment_id = ANY ($2::bigint[])

-- delete driver_positions b7dd19ff51 (commands)
DELETE FROM driver_positions p USING (SELECT DISTINCT business_id, assignment_id FROM driver_trail_1) g WHERE p.business_id = g.business_id AND p.assignment_id = g.assignment_id AND p.received_at <= ( SELECT ended_at FROM table_generations WHERE 'driver_trail_' || generation = 'driver_trail_1' AND table_name = 'driver_trail')
