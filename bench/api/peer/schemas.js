/** JSON schemas: of what callers send, for Ajv, and of what they get, for fast-json-stringify. */

const words = {
  status: ["pending", "confirmed", "in_progress", "completed", "cancelled"],
  payment: ["unpaid", "partial", "paid"],
  arrival: ["address", "flight", "domestic_flight", "international_flight", "train", "ship"],
  type: ["transfer", "airport_arrival", "airport_departure", "hourly", "round_trip", "event", "other"]
}

// ---- what callers send ----

const text = (maxLength) => ({ type: "string", pattern: "\\S", maxLength })
const optional = (schema) => ({ ...schema, nullable: true, default: null })
const optionalText = (maxLength) => optional({ type: "string", maxLength })
const degrees = (limit) => ({ type: "number", minimum: -limit, maximum: limit })
const id = { type: "integer", minimum: 1 }

const whole = (minimum, maximum) => ({ type: "integer", minimum, maximum })
const list = (maxItems, required, properties) => ({
  type: "array",
  maxItems,
  nullable: true,
  items: { type: "object", required, properties }
})
const email = { type: "string", format: "email", maxLength: 254 }

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
    special_requirements: optionalText(5000),
    external_ref: optionalText(100),
    po_number: optionalText(100),
    cost_center: optionalText(100),
    metadata: {
      type: "object",
      nullable: true,
      maxProperties: 20,
      propertyNames: { maxLength: 40 },
      additionalProperties: { type: "string", maxLength: 500 }
    },
    internal_notes: optionalText(5000),
    vehicle_class: optionalText(50),
    luggage_count: optional(whole(0, 10_000)),
    child_seats: list(20, ["type", "count"], { type: text(50), count: whole(1, 100) }),
    pickup_sign: optionalText(200),
    stops: list(50, ["address"], {
      address: text(500),
      lat: optional(degrees(90)),
      lng: optional(degrees(180)),
      contact: optionalText(200),
      minutes: optional(whole(0, 44_640))
    }),
    passengers: list(100, ["name"], {
      name: text(200),
      phone: optionalText(40),
      email: optional(email)
    }),
    booker_name: optionalText(200),
    booker_email: optional(email),
    booker_phone: optionalText(40),
    group_id: optionalText(100),
    linked_trip_id: optional(id),
    leg: optional({ type: "string", enum: ["outbound", "return", null] }),
    distance_m: optional(whole(0, 10_000_000)),
    arrival: optional({ type: "string", enum: [...words.arrival, null] }),
    pickup_airport: optional({ type: "string", pattern: "^[A-Z]{3}$" }),
    dropoff_airport: optional({ type: "string", pattern: "^[A-Z]{3}$" }),
    meet_and_greet: optional({ type: "boolean" }),
    waiting_minutes: optional(whole(0, 44_640)),
    tolls_amount: optional({ type: "number", minimum: 0, maximum: 10_000_000_000 }),
    pickup_timezone: optionalText(64)
  }
}

/** The filters of the list that the benchmark asks for. */
export const tripQuery = {
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "string", enum: words.status },
    payment_status: { type: "string", enum: words.payment },
    customer_id: id,
    filter: { type: "string", enum: ["upcoming", "previous"] },
    date_from: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" },
    date_to: { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\d$" },
    page: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 }
  }
}

/** The page of a list without filters. */
export const pageQuery = {
  type: "object",
  additionalProperties: false,
  properties: { page: { type: "integer", minimum: 1, maximum: 1_000_000, default: 1 } }
}

/** The change of a trip that the benchmark sends. */
export const terminalInput = {
  type: "object",
  required: ["terminal"],
  properties: { terminal: text(50) }
}

/** The drivers that a trip shall have. */
export const assignmentInput = {
  type: "object",
  required: ["driver_ids"],
  properties: { driver_ids: { type: "array", maxItems: 100, items: id } }
}

/** A payment of an invoice. */
export const paymentInput = {
  type: "object",
  required: ["amount", "method"],
  properties: {
    amount: { type: "number", exclusiveMinimum: 0 },
    method: { type: "string", enum: ["card", "cash", "bank_transfer", "other"] }
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
      car_id: orNull(integer),
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
  external_ref: orNull(string),
  po_number: orNull(string),
  cost_center: orNull(string),
  metadata: { type: "object", additionalProperties: string },
  internal_notes: orNull(string),
  vehicle_class: orNull(string),
  luggage_count: orNull(integer),
  child_seats: array(object({ type: string, count: integer })),
  pickup_sign: orNull(string),
  stops: array(
    object({
      address: string,
      lat: orNull(number),
      lng: orNull(number),
      contact: orNull(string),
      minutes: orNull(integer)
    })
  ),
  passengers: array(object({ name: string, phone: orNull(string), email: orNull(string) })),
  booker_name: orNull(string),
  booker_email: orNull(string),
  booker_phone: orNull(string),
  group_id: orNull(string),
  linked_trip_id: orNull(integer),
  leg: orNull(string),
  distance_m: orNull(integer),
  arrival: orNull(string),
  pickup_airport: orNull(string),
  dropoff_airport: orNull(string),
  meet_and_greet: orNull({ type: "boolean" }),
  waiting_minutes: orNull(integer),
  tolls_amount: orNull(number),
  pickup_timezone: string,
  pickup_local: string,
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
export const receipt = object({ recorded: { type: "boolean" }, clock_ahead: { type: "boolean" } })

const timestamps = { created_at: string, updated_at: string }

export const customerSchema = object({
  customer_id: integer,
  name: string,
  email: orNull(string),
  phone: orNull(string),
  company: orNull(string),
  address: orNull(string),
  country: orNull(string),
  vat_number: orNull(string),
  notes: orNull(string),
  ...timestamps
})

export const driverSchema = object({
  driver_id: integer,
  name: string,
  email: orNull(string),
  phone: orNull(string),
  license_number: orNull(string),
  license_expires_on: orNull(string),
  default_car_id: orNull(integer),
  photo_url: orNull(string),
  active: { type: "boolean" },
  user_id: orNull(integer),
  ...timestamps
})
