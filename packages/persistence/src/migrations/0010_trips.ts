/**
 * The domain's `flightKey` of the column `flight_number`: the flight in upper case, without spaces, punctuation and zeros
 * after the airline's code.
 */
export const flightKeyOfTrip = String.raw`regexp_replace(
    upper(regexp_replace(flight_number, '[^A-Za-z0-9]', '', 'g') COLLATE "C"),
    '^([A-Z]{2,3}|[A-Z][0-9]|[0-9][A-Z])0+([0-9])', '\1\2')`

/**
 * Trips, and the words by which they are found. `trips.status` and `trips.driver_status` are derived from the
 * assignments, in the transaction that changes one.
 */
export const trips = `
CREATE TABLE trips (
  business_id            bigint NOT NULL REFERENCES businesses,
  trip_id                bigint GENERATED ALWAYS AS IDENTITY,
  reference              text NOT NULL,
  status                 text NOT NULL CHECK (status IN ('pending', 'confirmed', 'in_progress', 'completed', 'cancelled')),
  driver_status          text NOT NULL DEFAULT 'unassigned' CHECK (driver_status IN ('unassigned', 'assigned', 'en_route', 'completed')),
  payment_status         text NOT NULL CHECK (payment_status IN ('unpaid', 'partial', 'paid')),
  trip_type              text NOT NULL,
  trip_date              timestamptz NOT NULL,
  duration_minutes       integer CHECK (duration_minutes BETWEEN 1 AND 44640),
  pickup_address         text NOT NULL,
  pickup_postal_code     text,
  pickup_lat             double precision CHECK (pickup_lat BETWEEN -90 AND 90),
  pickup_lng             double precision CHECK (pickup_lng BETWEEN -180 AND 180),
  dropoff_address        text NOT NULL,
  dropoff_postal_code    text,
  dropoff_lat            double precision CHECK (dropoff_lat BETWEEN -90 AND 90),
  dropoff_lng            double precision CHECK (dropoff_lng BETWEEN -180 AND 180),
  customer_id            bigint,
  customer_name          text NOT NULL,
  customer_email         text,
  customer_phone         text,
  car_id                 bigint,
  invoice_id             bigint,
  total_minor            bigint,
  currency               text NOT NULL,
  flight_number          text,
  terminal               text,
  participants_count     integer CHECK (participants_count > 0),
  notes                  text,
  special_requirements   text,
  external_ref           text,
  group_id               text,
  linked_trip_id         bigint,
  details                jsonb,
  cancel_reason          text CHECK (cancel_reason IN ('customer_request', 'operator', 'no_driver', 'no_show', 'late_cancel', 'duplicate', 'other')),
  cancelled_by           text,
  cancellation_fee_minor bigint CHECK (cancellation_fee_minor >= 0),
  cancelled_at           timestamptz,
  completed_at           timestamptz,
  reopened_after         bigint,
  created_at             timestamptz NOT NULL,
  updated_at             timestamptz NOT NULL,
  deleted_at             timestamptz,
  PRIMARY KEY (business_id, trip_id),
  UNIQUE (business_id, reference),
  FOREIGN KEY (business_id, car_id) REFERENCES cars (business_id, car_id),
  FOREIGN KEY (business_id, customer_id) REFERENCES customers (business_id, customer_id),
  FOREIGN KEY (business_id, invoice_id) REFERENCES invoices (business_id, invoice_id),
  FOREIGN KEY (business_id, linked_trip_id) REFERENCES trips (business_id, trip_id)
);
COMMENT ON COLUMN trips.details IS
  'The fields that few trips have, by name, without empty ones; null if all are empty. A column for each would make every booking slower.';
COMMENT ON COLUMN trips.reopened_after IS
  'The last assignment from before the trip was reopened: it and earlier ones no longer count.';

-- Lists without a filter, and the jobs of a day on the board.
CREATE INDEX trips_by_date ON trips (business_id, trip_date, trip_id) WHERE deleted_at IS NULL;
-- Jobs of more than a day on the board.
CREATE INDEX trips_long_by_date ON trips (business_id, trip_date, trip_id)
  WHERE deleted_at IS NULL AND duration_minutes > 1440;
-- Lists by status, by payment status and by both, merged from a range for each pair; late jobs on the board.
CREATE INDEX trips_by_status ON trips (business_id, status, payment_status, trip_date, trip_id) WHERE deleted_at IS NULL;
-- Lists with updated_since, in the order of the changes.
CREATE INDEX trips_by_update ON trips (business_id, updated_at, trip_id) WHERE deleted_at IS NULL;
-- Lists by flight: the key of the domain's flightKey.
CREATE INDEX trips_by_flight ON trips (business_id, ${flightKeyOfTrip}, trip_date, trip_id)
  WHERE flight_number IS NOT NULL AND deleted_at IS NULL;
-- Lists by group.
CREATE INDEX trips_by_group ON trips (business_id, group_id, trip_date, trip_id)
  WHERE group_id IS NOT NULL AND deleted_at IS NULL;
-- Lists by customer, and the deletion of a customer, which looks for deleted trips as well.
CREATE INDEX trips_by_customer ON trips (business_id, customer_id, trip_date, trip_id) INCLUDE (deleted_at)
  WHERE customer_id IS NOT NULL;
-- Lists by car, the clashes of a car, and the deletion of a car, which looks for deleted trips as well.
CREATE INDEX trips_by_car ON trips (business_id, car_id, trip_date, trip_id) INCLUDE (deleted_at) WHERE car_id IS NOT NULL;
-- The clashes of a car with trips of more than a day.
CREATE INDEX trips_long_by_car ON trips (business_id, car_id, trip_date) WHERE car_id IS NOT NULL AND duration_minutes > 1440;
-- Free drivers near a place. A number and a time are ranges, because GiST has no index of plain ones.
CREATE INDEX trips_by_dropoff ON trips USING gist (
  int8range(business_id, business_id, '[]'), point(dropoff_lng, dropoff_lat), tstzrange(trip_date, trip_date, '[]'))
  WHERE dropoff_lat IS NOT NULL AND dropoff_lng IS NOT NULL AND deleted_at IS NULL;
-- One trip with an external_ref, and lists by it.
CREATE UNIQUE INDEX trips_by_external_ref ON trips (business_id, external_ref)
  WHERE external_ref IS NOT NULL AND deleted_at IS NULL;
-- The trips of an invoice.
CREATE INDEX trips_by_invoice ON trips (business_id, invoice_id) WHERE invoice_id IS NOT NULL;
-- The jobs of a driver, without those of deleted trips.
CREATE INDEX trips_deleted ON trips (business_id, trip_id) WHERE deleted_at IS NOT NULL;
-- Earlier trips of a new customer, linked by the email address.
CREATE INDEX trips_without_customer_by_email ON trips (business_id, customer_email)
  WHERE customer_id IS NULL AND customer_email IS NOT NULL;

CREATE TABLE external_ref_locks (
  business_id bigint NOT NULL REFERENCES businesses,
  bucket      integer NOT NULL CHECK (bucket BETWEEN 0 AND 255),
  PRIMARY KEY (business_id, bucket)
);
COMMENT ON TABLE external_ref_locks IS
  'A row to lock for each external_ref that a trip is to have. Several texts share a row, so that a business has 256 rows at most.';

CREATE TABLE trip_search (
  business_id bigint NOT NULL,
  trip_id     bigint NOT NULL,
  search      tsvector NOT NULL,
  PRIMARY KEY (business_id, trip_id)
);
COMMENT ON TABLE trip_search IS
  'The words by which trips are found, each after the id of its business. Apart from trips, whose rows change more often. '
  'One statement writes a trip and its row here, so no foreign key checks it.';
CREATE INDEX trip_search_by_word ON trip_search USING gin (search) WITH (fastupdate = on, gin_pending_list_limit = 256);
COMMENT ON INDEX trip_search_by_word IS
  'A new trip goes to a list of 256 kB at most, which a search reads as well. A booking then writes one place instead of one for each word.';
`
