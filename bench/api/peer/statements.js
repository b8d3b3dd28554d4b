/** Every statement of the peer, prepared once on each connection by its name. */

const milestones = `
  coalesce((
    SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng)
                    ORDER BY m.at, m.milestone)
    FROM assignment_milestones m
    WHERE m.business_id = a.business_id AND m.assignment_id = a.assignment_id), '[]'::json)`

const drivers = `
  coalesce((
    SELECT json_agg(json_build_object('driver_id', a.driver_id, 'name', d.name, 'status', a.status,
                                      'car_id', a.car_id,
                                      'milestones', ${milestones}) ORDER BY a.assignment_id)
    FROM assignments a JOIN drivers d ON d.business_id = a.business_id AND d.driver_id = a.driver_id
    WHERE a.business_id = t.business_id AND a.trip_id = t.trip_id AND a.status <> 'cancelled'), '[]'::json) AS drivers`

/** $1: the SHA-256 of an API key. Notes once a minute that the key was used. */
export const findBusinessByKey = {
  name: "find_business_by_key",
  text: `
    WITH noted AS (
      UPDATE api_keys SET last_used_at = now()
      WHERE key_hash = $1 AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
    )
    SELECT b.business_id, b.status, b.currency, b.timezone
    FROM api_keys k JOIN businesses b USING (business_id) WHERE k.key_hash = $1`
}

/** $1: the business, $2: the SHA-256 of a driver token. */
export const findDriverByToken = {
  name: "find_driver_by_token",
  text: `
    SELECT a.business_id, a.driver_id, a.assignment_id, b.status
    FROM assignments a
    JOIN businesses b USING (business_id)
    JOIN drivers d USING (business_id, driver_id)
    JOIN trips t USING (business_id, trip_id)
    WHERE a.business_id = $1 AND a.token_hash = $2
      AND d.deleted_at IS NULL AND t.deleted_at IS NULL`
}

/** $1: a counter's key. Counts it once more in this minute. */
export const countRequest = {
  name: "count_request",
  text: `
    INSERT INTO rate_counters AS c (window_no, key, used)
    VALUES (floor(extract(epoch FROM clock_timestamp()) / 60)::bigint, $1, 1)
    ON CONFLICT (window_no, key) DO UPDATE SET used = c.used + 1
    RETURNING used, (window_no + 1) * 60 AS resets_at`
}

/** $1: business, $2: trip. */
export const findTrip = {
  name: "find_trip",
  text: `
    SELECT t.*, ${drivers} FROM trips t
    WHERE t.business_id = $1 AND t.trip_id = $2 AND t.deleted_at IS NULL`
}

/** How far the total of a list is counted. */
export const maxCount = 10_000

/** Conditions on the columns of `trips` for a filter, and their values behind the business's. */
const conditionsOf = (filter) => {
  const values = []
  const conditions = ["business_id = $1", "deleted_at IS NULL"]
  const add = (condition, value) => {
    values.push(value)
    conditions.push(`${condition} $${values.length + 1}`)
  }
  if (filter.status !== undefined) add("status =", filter.status)
  if (filter.payment_status !== undefined) add("payment_status =", filter.payment_status)
  return { text: conditions.join(" AND "), values }
}

/**
 * A page of 20 trips and one more, the latest first, beside their total if `isCounted`. Values: the business, those of
 * the filter, the offset. The trips of the page are looked up one by one, so that a long list costs no more.
 */
export const listTrips = (businessId, filter, offset, isCounted) => {
  const { text, values } = conditionsOf(filter)
  const order = "trip_date DESC, trip_id DESC"
  const total = `, (
    SELECT count(*) FROM (SELECT FROM trips WHERE ${text} ORDER BY ${order} LIMIT ${maxCount + 1}) c) AS total`
  return {
    name: `list_trips_${Object.keys(filter).join("_")}_${isCounted}`,
    text: `
      SELECT t.*, ${drivers}${isCounted ? total : ""}
      FROM (SELECT trip_id FROM trips WHERE ${text} ORDER BY ${order} LIMIT 21 OFFSET $${values.length + 2}) p
      CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = $1 AND trip_id = p.trip_id LIMIT 1) t
      ORDER BY t.trip_date DESC, t.trip_id DESC`,
    values: [businessId, ...values, offset]
  }
}

/** The columns of a new trip, in the order of the values of `insertTrip`. */
export const newTripColumns = [
  "business_id",
  "reference",
  "status",
  "payment_status",
  "trip_type",
  "trip_date",
  "duration_minutes",
  "pickup_address",
  "pickup_postal_code",
  "pickup_lat",
  "pickup_lng",
  "dropoff_address",
  "dropoff_postal_code",
  "dropoff_lat",
  "dropoff_lng",
  "customer_id",
  "customer_name",
  "customer_email",
  "customer_phone",
  "car_id",
  "total_minor",
  "currency",
  "flight_number",
  "terminal",
  "participants_count",
  "notes",
  "special_requirements",
  "external_ref",
  "group_id",
  "linked_trip_id",
  "details",
  "created_at",
  "updated_at"
]

/**
 * Values: `newTripColumns`, then the actor and the words of the search. Stores a trip, the first line of its timeline and
 * its words; no row if its reference is taken.
 */
export const insertTrip = {
  name: "insert_trip",
  text: `
    WITH t AS (
      INSERT INTO trips (${newTripColumns.join(", ")})
      VALUES (${newTripColumns.map((_, index) => `$${index + 1}`).join(", ")})
      ON CONFLICT (business_id, reference) DO NOTHING RETURNING *
    ), line AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
      SELECT business_id, trip_id, created_at, $${newTripColumns.length + 1}, 'created',
             jsonb_build_object('status', status)
      FROM t
    ), words AS (
      INSERT INTO trip_search (business_id, trip_id, search)
      SELECT business_id, trip_id, $${newTripColumns.length + 2}::tsvector FROM t
    )
    SELECT *, '[]'::json AS drivers FROM t`
}

/** $1: business, $2: pickup time, $3: pickup address, $4: passenger. The trips that a new one is likely to duplicate. */
export const likelyDuplicates = {
  name: "likely_duplicates",
  text: `
    SELECT coalesce(json_agg(json_build_object('type', 'likely_duplicate', 'trip_id', t.trip_id) ORDER BY t.trip_id),
      '[]'::json) AS warnings
    FROM (SELECT trip_id FROM trips t
    WHERE t.business_id = $1 AND t.trip_date = $2::timestamptz AND lower(t.pickup_address) = lower($3)
      AND lower(t.customer_name) = lower($4) AND t.deleted_at IS NULL AND t.status <> 'cancelled'
    ORDER BY t.trip_id LIMIT 10) t`
}

/** $1: business, $2: the event's id, $3: its type, $4: its body. Stores the event and a delivery for each subscriber. */
export const insertEvent = {
  name: "insert_event",
  text: `
    WITH event AS (
      INSERT INTO events (business_id, event_id, event_type, body) VALUES ($1, $2, $3, $4)
      RETURNING business_id, event_id, event_type
    )
    INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
    SELECT event.business_id, e.endpoint_id, event.event_id, event.event_type
    FROM event JOIN webhook_endpoints e USING (business_id)
    WHERE e.status = 'enabled' AND e.deleted_at IS NULL AND event.event_type = ANY (e.events)`
}

/** $1: business, $2: car. Keeps the car until the transaction ends. */
export const holdCar = {
  name: "hold_car",
  text: `
    SELECT FROM cars
    WHERE business_id = $1 AND car_id = $2 AND active AND deleted_at IS NULL FOR KEY SHARE`
}

/** $1: business, $2: customer. Keeps the customer until the transaction ends. */
export const holdCustomer = {
  name: "hold_customer",
  text: `
    SELECT FROM customers
    WHERE business_id = $1 AND customer_id = $2 AND deleted_at IS NULL FOR KEY SHARE`
}

/** $1: business. Waits for concurrent inserts of a customer, so that the next statement sees that customer. */
export const awaitCustomers = {
  name: "await_customers",
  text: "SELECT FROM customer_email_locks WHERE business_id = $1 FOR SHARE"
}

/** $1: business. Stores the row that `awaitCustomers` locks, before its first use. */
export const addCustomerLock = {
  name: "add_customer_lock",
  text: "INSERT INTO customer_email_locks (business_id) VALUES ($1) ON CONFLICT DO NOTHING"
}

/** $1: business, $2: email. Keeps the customer with that address until the transaction ends. */
export const holdCustomerByEmail = {
  name: "hold_customer_by_email",
  text: `
    SELECT customer_id FROM customers
    WHERE business_id = $1 AND email = $2 AND deleted_at IS NULL FOR KEY SHARE`
}

/**
 * $1: business, $2: driver, $3: assignment, $4: when it was measured, $5 to $9: latitude, longitude, accuracy, heading
 * and speed. Stores the position if the assignment is under way, and was so at that time but for a minute.
 */
export const recordPosition = {
  name: "record_position",
  text: `
    WITH seen AS (
      SELECT a.business_id, a.assignment_id, $4::timestamptz AS recorded_at, $5::float8 AS lat, $6::float8 AS lng,
        $7::float8 AS accuracy, $8::float8 AS heading, $9::float8 AS speed
      FROM assignments a
      WHERE a.business_id = $1 AND a.driver_id = $2 AND a.assignment_id = $3 AND a.status = 'en_route'
        AND $4::timestamptz >= a.en_route_at - interval '60 seconds'
    ), trail AS (
      INSERT INTO driver_trail
        (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at)
      SELECT business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, statement_timestamp()
      FROM seen
      ON CONFLICT DO NOTHING
    ), last AS (
      INSERT INTO driver_positions AS p
        (business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, received_at)
      SELECT business_id, assignment_id, recorded_at, lat, lng, accuracy, heading, speed, statement_timestamp()
      FROM seen
      ON CONFLICT (business_id, assignment_id) DO UPDATE
      SET recorded_at = excluded.recorded_at, lat = excluded.lat, lng = excluded.lng,
        accuracy = excluded.accuracy, heading = excluded.heading, speed = excluded.speed,
        received_at = excluded.received_at
      WHERE p.recorded_at <= excluded.recorded_at
    )
    SELECT count(*)::int AS recorded FROM seen`
}
