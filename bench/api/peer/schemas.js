/** JSON schemas: of what callers send, for Ajv, and of the envelope of what they get, for fast-json-stringify. */

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
const object = (properties) => ({ type: "object", properties })
const array = (items) => ({ type: "array", items })

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
export const receipt = object({ recorded: { type: "boolean" }, clock_ahead: { type: "boolean" } })
