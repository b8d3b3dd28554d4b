/**
 * A customer's trips are listed and counted from an index without deleted trips: a count then reads no rows of the
 * table. The other index has deleted trips too; a deletion of a customer looks there for trips that refer to it.
 */
export const customerTrips = `
DROP INDEX trips_by_customer;
CREATE INDEX trips_by_customer ON trips (business_id, customer_id, trip_date, trip_id)
  WHERE customer_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX trips_referring_to_customer ON trips (business_id, customer_id) WHERE customer_id IS NOT NULL;
`
