/** Every statement of the peer, prepared once on each connection by its name. */

const milestones = `
  coalesce((
    SELECT json_agg(json_build_object('milestone', m.milestone, 'at', m.at, 'lat', m.lat, 'lng', m.lng,
                      'stop_index', CASE WHEN m.milestone = 'arrived_at_stop' THEN m.stop_index END)
                    ORDER BY m.at, m.milestone, m.stop_index)
    FROM assignment_milestones m
    WHERE m.business_id = $1 AND m.assignment_id = a.assignment_id), '[]'::json)`

const drivers = `
  array_to_json(ARRAY(
    SELECT json_build_object('assignment_id', a.assignment_id, 'driver_id', a.driver_id,
      'name', (SELECT d.name FROM drivers d WHERE d.business_id = $1 AND d.driver_id = a.driver_id),
      'status', a.status, 'car_id', a.car_id, 'milestones', ${milestones})
    FROM assignments a WHERE a.business_id = $1 AND a.trip_id = t.trip_id ORDER BY a.assignment_id)) AS drivers`

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
export const maxCount = 1_000

/** The conditions of each filter, with the number of its value in place of `?`. */
const tripConditions = {
  status: "status = ?",
  payment_status: "payment_status = ?",
  customer_id: "customer_id = ?",
  date_from: "trip_date >= ?",
  date_to: "trip_date < ?",
  upcoming: "trip_date >= ?",
  previous: "trip_date < ?"
}

/**
 * A page of 20 trips and one more, beside their total if `isCounted`: the next first if `filter.upcoming` is given,
 * otherwise the latest. The trips of the page are looked up one by one, so that a long list costs no more.
 */
export const listTrips = (businessId, filter, offset, isCounted) => {
  const names = Object.keys(filter)
  const text = [
    "business_id = $1 AND deleted_at IS NULL",
    ...names.map((name, index) => tripConditions[name].replace("?", `$${index + 2}`))
  ].join(" AND ")
  const direction = filter.upcoming === undefined ? "DESC" : "ASC"
  const order = `trip_date ${direction}, trip_id ${direction}`
  const total = `, (
    SELECT count(*) FROM (SELECT FROM trips WHERE ${text} ORDER BY ${order} LIMIT ${maxCount + 1}) c) AS total`
  return {
    name: `list_trips_${names.join("_")}_${isCounted}`,
    text: `
      SELECT t.*, ${drivers}${isCounted ? total : ""}
      FROM (SELECT trip_id FROM trips WHERE ${text} ORDER BY ${order} LIMIT 21 OFFSET $${names.length + 2}) p
      CROSS JOIN LATERAL (SELECT * FROM trips WHERE business_id = $1 AND trip_id = p.trip_id LIMIT 1) t
      ORDER BY t.trip_date ${direction}, t.trip_id ${direction}`,
    values: [businessId, ...Object.values(filter), offset]
  }
}

/** $1: business, $2: offset. A page of 25 rows of a table that has names, and one more, beside their total. */
const listByName = (table, id) => ({
  name: `list_${table}`,
  text: `
    SELECT *, (SELECT count(*) FROM (
      SELECT FROM ${table} WHERE business_id = $1 AND deleted_at IS NULL LIMIT ${maxCount + 1}) c) AS total
    FROM ${table} WHERE business_id = $1 AND deleted_at IS NULL ORDER BY name, ${id} LIMIT 26 OFFSET $2`
})
export const listCustomers = listByName("customers", "customer_id")
export const listDrivers = listByName("drivers", "driver_id")

/** The columns of a new trip, in the order of the values of `insertTrip`. */
export const newTripColumns = [
  "business_id",
  "trip_id",
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

/** Draws the ids of 100 trips. */
export const drawTripIds = {
  name: "draw_trip_ids",
  text: `SELECT nextval(pg_get_serial_sequence('trips', 'trip_id')) AS trip_id FROM generate_series(1, 100)`
}

/** The event and its deliveries, for a statement whose parameters from `$first` are business, id, type and body. */
const recorded = (first, from = "", suffix = "") => `
    event${suffix} AS (
      INSERT INTO events (business_id, event_id, event_type, body)
      SELECT $${first}::bigint, $${first + 1}::text, $${first + 2}::text, $${first + 3}::text ${from}
      RETURNING business_id, event_id, event_type
    ), deliveries${suffix} AS (
      INSERT INTO webhook_deliveries (business_id, endpoint_id, event_id, event_type)
      SELECT event.business_id, e.endpoint_id, event.event_id, event.event_type
      FROM event${suffix} event, webhook_endpoints e
      WHERE e.business_id = $${first} AND e.status = 'enabled' AND e.deleted_at IS NULL
        AND event.event_type = ANY (e.events)
    )`

const tripParameter = (column) => `$${newTripColumns.indexOf(column) + 1}`
const afterTrip = newTripColumns.length + 1

/**
 * A booking in one statement. Values: `newTripColumns`, the actor, the words of the search, then the business, id, type
 * and body of the event. Stores a trip, the first line of its timeline, its words, its event with the deliveries, and
 * looks for likely duplicates; no row if its reference is taken.
 */
export const book = {
  name: "book",
  text: `
    WITH t AS (
      INSERT INTO trips (${newTripColumns.join(", ")}) OVERRIDING SYSTEM VALUE
      VALUES (${newTripColumns.map((_, index) => `$${index + 1}`).join(", ")})
      ON CONFLICT (business_id, reference) DO NOTHING RETURNING business_id, trip_id, created_at, status
    ), line AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, after)
      SELECT business_id, trip_id, created_at, $${afterTrip}, 'created', jsonb_build_object('status', status) FROM t
    ), words AS (
      INSERT INTO trip_search (business_id, trip_id, search)
      SELECT business_id, trip_id, $${afterTrip + 1}::tsvector FROM t
    ), ${recorded(afterTrip + 2, "FROM t")}
    SELECT array_to_json(ARRAY(
      SELECT json_build_object('type', 'likely_duplicate', 'trip_id', o.trip_id) FROM trips o
      WHERE o.business_id = ${tripParameter("business_id")} AND o.trip_date = ${tripParameter("trip_date")}::timestamptz
        AND lower(o.pickup_address) = lower(${tripParameter("pickup_address")})
        AND lower(o.customer_name) = lower(${tripParameter("customer_name")})
        AND o.deleted_at IS NULL AND o.status <> 'cancelled'
      ORDER BY o.trip_id LIMIT 10)) AS warnings
    FROM t`
}

/** $1: business, $2: trip. Locks a trip and gives it with its drivers. */
export const holdTrip = {
  name: "hold_trip",
  text: `
    SELECT t.*, ${drivers} FROM trips t
    WHERE t.business_id = $1 AND t.trip_id = $2 AND t.deleted_at IS NULL FOR NO KEY UPDATE OF t`
}

/** $1: business, $2: trip, $3: terminal, $4: now, $5: actor, $6 and $7: before and after; then the event. */
export const changeTerminal = {
  name: "change_terminal",
  text: `
    WITH line AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, before, after)
      VALUES ($1, $2, $4, $5, 'updated', $6, $7)
    ), ${recorded(8)}
    UPDATE trips SET terminal = $3, updated_at = $4 WHERE business_id = $1 AND trip_id = $2`
}

/** $1: business, $2: drivers. Keeps active drivers until the transaction ends. */
export const holdDrivers = {
  name: "hold_drivers",
  text: `
    SELECT driver_id, name, default_car_id FROM drivers
    WHERE business_id = $1 AND driver_id = ANY ($2::bigint[]) AND active AND deleted_at IS NULL
    ORDER BY driver_id FOR KEY SHARE`
}

/** $1: business, $2: drivers, $3 and $4: the window, $5: the trip. Other live jobs and absences of the drivers in the window. */
export const overlapping = {
  name: "overlapping",
  text: `
    SELECT driver_id, trip_id FROM assignments
    WHERE business_id = $1 AND driver_id = ANY ($2::bigint[]) AND status IN ('assigned', 'en_route')
      AND trip_date < $4::timestamptz AND trip_date > $3::timestamptz - interval '1 day' AND trip_ends_at > $3::timestamptz
      AND trip_id <> $5
    UNION ALL
    SELECT driver_id, NULL FROM driver_absences
    WHERE business_id = $1 AND driver_id = ANY ($2::bigint[]) AND starts_at < $4::timestamptz AND ends_at > $3::timestamptz`
}

/**
 * $1: business, $2: trip, $3: drivers that leave, $4: drivers that come, $5: hashes of their tokens, $6: pickup, $7: end,
 * $8: now, $9: actor; then the event.
 */
export const assign = {
  name: "assign",
  text: `
    WITH gone AS (
      UPDATE assignments SET status = 'cancelled', cancelled_at = $8, cancelled_by = 'operator',
        ended_token_hash = coalesce(token_hash, ended_token_hash), token_hash = NULL
      WHERE business_id = $1 AND trip_id = $2 AND driver_id = ANY ($3::bigint[]) AND status IN ('assigned', 'en_route')
    ), come AS (
      INSERT INTO assignments (business_id, trip_id, driver_id, status, trip_date, trip_ends_at, token_hash, created_at)
      SELECT $1, $2, n.driver_id, 'assigned', $6, $7, n.token_hash, $8
      FROM unnest($4::bigint[], $5::text[]) n (driver_id, token_hash)
    ), lines AS (
      INSERT INTO trip_changes (business_id, trip_id, at, actor, change, driver_id, before, after)
      SELECT $1, $2, $8, $9, 'driver_removed', d, '{"status": "assigned"}'::jsonb, '{"status": "cancelled"}'::jsonb
      FROM unnest($3::bigint[]) d
      UNION ALL
      SELECT $1, $2, $8, $9, 'driver_assigned', d, NULL, '{"status": "assigned"}'::jsonb FROM unnest($4::bigint[]) d
    ), ${recorded(10)}
    UPDATE trips SET driver_status = 'assigned', updated_at = $8 WHERE business_id = $1 AND trip_id = $2`
}

/** $1: business, $2: invoice. Locks an invoice. */
export const holdInvoice = {
  name: "hold_invoice",
  text: `
    SELECT currency, number, total_minor, paid_minor, status, sealed_at FROM invoices
    WHERE business_id = $1 AND invoice_id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE`
}

const sellerFields =
  "business_name, business_email, phone, address, website_url, logo_url, country, locale, vat_number, tax_number, registration_number, iban, bic"
const buyerFields = "name, email, phone, company, address, country, vat_number, language, buyer_reference"
const pairsOf = (row, names) =>
  names
    .split(", ")
    .map((name) => `'${name}', ${row}.${name}`)
    .join(", ")

/** Keeps the invoice of $1 and $2 as it is when it is sealed, with the status $7 and the paid amount $8. */
const snapshot = `
      INSERT INTO invoice_snapshots (business_id, invoice_id, snapshot)
      SELECT i.business_id, i.invoice_id, jsonb_build_object(
        'timezone', b.timezone,
        'seller', jsonb_build_object(${pairsOf("b", sellerFields)}),
        'buyer', (
          SELECT jsonb_build_object(${pairsOf("c", buyerFields)}) || coalesce(r.party, '{}')
          FROM customers c LEFT JOIN retained_parties r
            ON r.business_id = c.business_id AND r.kind = 'customer' AND r.record_id = c.customer_id
          WHERE c.business_id = i.business_id AND c.customer_id = i.customer_id),
        'trips', coalesce((
          SELECT jsonb_agg(jsonb_build_object('trip_id', t.trip_id, 'trip_date', t.trip_date,
            'pickup_timezone', t.details ->> 'pickup_timezone',
            'customer_name', coalesce(r.party ->> 'customer_name', t.customer_name),
            'customer_email', t.customer_email,
            'po_number', coalesce(r.party ->> 'po_number', t.details ->> 'po_number'),
            'cost_center', coalesce(r.party ->> 'cost_center', t.details ->> 'cost_center')) ORDER BY t.trip_date, t.trip_id)
          FROM trips t LEFT JOIN retained_parties r
            ON r.business_id = t.business_id AND r.kind = 'trip' AND r.record_id = t.trip_id
          WHERE t.business_id = i.business_id AND t.trip_id IN (
            SELECT a.trip_id FROM trips a
            WHERE a.business_id = i.business_id AND a.invoice_id = i.invoice_id AND a.deleted_at IS NULL
            UNION ALL
            SELECT (line ->> 'trip_id')::bigint FROM jsonb_array_elements(i.lines) line)), '[]'),
        'invoice', jsonb_build_object('status', $7::text, 'lines', i.lines, 'paid_minor', $8::bigint,
          'credited_minor', i.credited_minor, 'notes', i.notes))
      FROM invoices i JOIN businesses b ON b.business_id = i.business_id
      WHERE i.business_id = $1 AND i.invoice_id = $2`

/**
 * $1: business, $2: invoice, $3: amount, $4: currency, $5: method, $6: now, $7: status, $8: paid, $9: actor, $10: the amount in
 * major units, $11 to $14: the event. If the payment seals the invoice, $15: its number, and $16 to $19: the event of that.
 */
const paying = (name, seals) => ({
  name,
  text: `
    WITH paid AS (
      INSERT INTO payments (business_id, invoice_id, kind, amount_minor, currency, method, received_at, created_at)
      VALUES ($1, $2, 'payment', $3, $4, $5, $6, $6) RETURNING payment_id
    ), total AS (
      UPDATE invoices SET status = $7, paid_minor = $8, updated_at = $6${seals ? ", sealed_at = $6" : ""}
      WHERE business_id = $1 AND invoice_id = $2
    ), lines AS (
      INSERT INTO invoice_changes (business_id, invoice_id, at, actor, change, after)
      SELECT $1, $2, $6, $9, 'paid', jsonb_build_object('payment_id', payment_id, 'kind', 'payment',
        'amount', $10::numeric, 'currency', $4::text, 'method', $5::text) FROM paid
      ${seals ? "UNION ALL SELECT $1, $2, $6, $9, 'sealed', jsonb_build_object('number', $15::text)" : ""}
    )${seals ? `, snapshot AS (${snapshot}), ${recorded(16, "", "_of_seal")}` : ""}, ${recorded(11)}
    SELECT payment_id FROM paid`
})
export const pay = paying("pay", false)
/** The first payment of an invoice seals it. */
export const payAndSeal = paying("pay_and_seal", true)

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
