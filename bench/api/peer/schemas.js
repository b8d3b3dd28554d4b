/** JSON schemas: of what callers send, for Ajv, and of what they get, for fast-json-stringify. */

const words = {
  status: ["pending", "confirmed", "in_progress", "completed", "cancelled"],
  payment: ["unpaid", "partial", "paid"],
  type: ["transfer", "airport_arrival", "airport_departure", "hourly", "round_trip", "event", "other"]
}

// ---- what callers send ----

const text = (maxLength) => ({ type: "string", pattern: "\\S", maxLength })
const optional = (schema) => ({ ...schema, nullable: true, default: null })
const optionalText = (maxLength) => optional({ type: "string", maxLength })
const degrees = (limit) => ({ type: "number", minimum: -limit, maximum: limit })
const id = { type: "integer", minimum: 1 }

/** A trip as it is booked. */
export const tripInput = {
  type: "object",
  required: ["trip_date", "pickup_address", "dropoff_address", "customer_name"],
  properties: {
    trip_type: { type: "string", enum: [...words.type, null], nullable: true, default: "transfer" },
    trip_date: { type: "string", format: "date-time" },
    duration_minutes: optional({ type: "integer", minimum: 1, maximum: 44_640 }),
    pickup_address: text(500),
    pickup_postal_code: optionalText(20),
    pickup_lat: optional(degrees(90)),
    pickup_lng: optional(degrees(180)),
    dropoff_address: text(500),
    dropoff_postal_code: optionalText(20),
    dropoff_lat: optional(degrees(90)),
    dropoff_lng: optional(degrees(180)),
    customer_id: optional(id),
    customer_name: text(200),
    customer_email: optional({ type: "string", format: "email", maxLength: 254 }),
    customer_phone: optionalText(40),
    car_id: optional(id),
    total_amount: optional({ type: "number", minimum: 0, maximum: 10_000_000_000 }),
    currency: optional({ type: "string", format: "currency" }),
    flight_number: optionalText(20),
    terminal: optionalText(50),
    participants_count: optional({ type: "integer", minimum: 1, maximum: 10_000 }),
    notes: optionalText(5000),
    special_requirements: optionalText(5000)
  }
}

/** The filters of the list that the benchmark asks for. */
export const tripQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "string", enum: words.status },
    payment_status: { type: "string", enum: words.payment },
    page: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 }
  }
}

/** A record's id in a path. */
export const idParams = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string", pattern: "^[1-9]\\d{0,14}$" } }
}

const measured = (maximum) => optional({ type: "number", maximum })

/** Where a driver is. */
export const locationInput = {
  type: "object",
  required: ["lat", "lng"],
  properties: {
    lat: degrees(90),
    lng: degrees(180),
    accuracy: measured(10_000_000),
    heading: measured(360),
    speed: measured(10_000),
    recorded_at: optional({ type: "string", format: "date-time" })
  }
}

// ---- what callers get ----

const string = { type: "string" }
const integer = { type: "integer" }
const number = { type: "number" }
const orNull = (schema) => ({ ...schema, nullable: true })
const object = (properties) => ({ type: "object", properties })
const array = (items) => ({ type: "array", items })

/** A trip in answers and events. */
export const tripSchema = object({
  trip_id: integer,
  reference: string,
  status: string,
  driver_status: string,
  payment_status: string,
  allowed_transitions: array(string),
  trip_type: string,
  trip_date: string,
  pickup_at: string,
  duration_minutes: orNull(integer),
  pickup_address: string,
  pickup_postal_code: orNull(string),
  pickup_lat: orNull(number),
  pickup_lng: orNull(number),
  dropoff_address: string,
  dropoff_postal_code: orNull(string),
  dropoff_lat: orNull(number),
  dropoff_lng: orNull(number),
  customer_id: orNull(integer),
  customer_name: string,
  customer_email: orNull(string),
  customer_phone: orNull(string),
  car_id: orNull(integer),
  driver_ids: array(integer),
  drivers: array(
    object({
      driver_id: integer,
      name: string,
      status: string,
      milestones: array(object({ milestone: string, at: string, lat: orNull(number), lng: orNull(number) }))
    })
  ),
  total_amount: orNull(number),
  currency: string,
  flight_number: orNull(string),
  terminal: orNull(string),
  participants_count: orNull(integer),
  notes: orNull(string),
  special_requirements: orNull(string),
  cancel_reason: orNull(string),
  cancelled_by: orNull(string),
  cancellation_fee: orNull(number),
  cancelled_at: orNull(string),
  completed_at: orNull(string),
  created_at: string,
  updated_at: string
})

const pagination = object({
  page: integer,
  per_page: integer,
  count: integer,
  total: integer,
  total_pages: integer,
  has_more: { type: "boolean" },
  next_cursor: string
})

/** A record in the envelope. */
export const dataOf = (schema) => object({ data: schema, meta: object({ request_id: string }) })

/** A list in the envelope. */
export const listOf = (schema) =>
  object({ data: array(schema), meta: object({ request_id: string, pagination }) })

export const live = object({ status: string })
export const pong = object({
  ok: { type: "boolean" },
  business_id: integer,
  api_version: string,
  time: string
})
export const receipt = object({ recorded: { type: "boolean" } })
