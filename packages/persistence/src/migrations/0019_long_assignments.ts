/**
 * The live assignments of more than a day, with all columns that the clashes of a driver need. Without these, PostgreSQL preferred the
 * index of all live assignments, and read thousands of them for each job of a driver who has as many.
 */
export const longAssignments = `
DROP INDEX assignments_long;
CREATE INDEX assignments_long ON assignments (business_id, driver_id, trip_date, assignment_id)
  INCLUDE (trip_id, trip_ends_at, status)
  WHERE status IN ('assigned', 'en_route') AND trip_ends_at - trip_date > interval '1 day';
`
