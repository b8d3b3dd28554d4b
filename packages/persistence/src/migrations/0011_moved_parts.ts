/**
 * A driver's part in a trip that was over when the trip was moved kept the time that the trip had before, and stood
 * there in the driver's list. Every part is where its trip is from now on.
 */
export const movedParts = `
UPDATE assignments a
SET trip_date = t.trip_date, trip_ends_at = t.trip_date + make_interval(mins => coalesce(t.duration_minutes, 60))
FROM trips t
WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id
  AND (a.trip_date <> t.trip_date
    OR a.trip_ends_at <> t.trip_date + make_interval(mins => coalesce(t.duration_minutes, 60)));
`
