import { assert, describe, it } from "@effect/vitest"
import { TripInput, TripType } from "@livery/domain"
import { Schema } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"

const required = {
  trip_date: "2026-11-20T09:30:00Z",
  pickup_address: "Bahnhofplatz 1",
  dropoff_address: "Flughafen",
  customer_name: "Zoë"
}
const requiredFields = ["trip_date", "pickup_address", "dropoff_address", "customer_name"]
const texts = [
  "customer_phone",
  "pickup_postal_code",
  "dropoff_postal_code",
  "flight_number",
  "terminal",
  "notes",
  "special_requirements",
  "external_ref",
  "po_number",
  "cost_center",
  "internal_notes",
  "pickup_sign",
  "booker_name",
  "booker_phone",
  "group_id",
  "pickup_airport",
  "dropoff_airport"
]
/** Fields beyond those of the specification. */
const ours = [
  "duration_minutes",
  "customer_id",
  "luggage_count",
  "linked_trip_id",
  "distance_m",
  "waiting_minutes",
  "tolls_amount"
]
const words = ["trip_type", "currency", "vehicle_class", "leg", "pickup_timezone", "arrival"]
const flags = ["force", "meet_and_greet", "tax_included"]
const lists = ["child_seats", "stops", "passengers", "taxes"]
const numbers = [
  ...ours,
  "car_id",
  "pickup_lat",
  "pickup_lng",
  "dropoff_lat",
  "dropoff_lng",
  "total_amount",
  "participants_count"
]
const fields = Object.keys(TripInput.fields)
/** The values of optional fields that were not sent, where these are not null. */
const defaults: Readonly<Record<string, unknown>> = {
  trip_type: "transfer",
  force: false,
  metadata: {},
  child_seats: [],
  stops: [],
  passengers: []
}
const optional = fields.filter((field) => !requiredFields.includes(field))

const refusalOf = (change: object) => issuesOf(TripInput, { ...required, ...change })
const everyField = (value: unknown) => Object.fromEntries(fields.map((field) => [field, value]))
const each = (names: ReadonlyArray<string>, issue: string) => names.map((name) => `${name} ${issue}`)

it("the body has the specified fields, the additional ones, and no others", () => {
  const specified = [
    ...requiredFields,
    ...texts,
    ...numbers,
    ...words,
    ...lists,
    "customer_email",
    "booker_email",
    "metadata",
    ...flags
  ]
  assert.deepStrictEqual(fields.toSorted(), specified.toSorted())
})

describe("required fields", () => {
  it("each is reported once as required when it is missing, null or blank, all in one response", () => {
    assert.deepStrictEqual(issuesOf(TripInput, {}), each(requiredFields, "required"))
    for (const nothing of [null, "", " \t\n"])
      for (const field of requiredFields)
        assert.deepStrictEqual(refusalOf({ [field]: nothing }), [`${field} required`])
  })

  it("a field is never read from the prototype", () => {
    assert.deepStrictEqual(issuesOf(TripInput, JSON.parse(`{"__proto__":${JSON.stringify(required)}}`)), [
      ...each(requiredFields, "required")
    ])
  })
})

describe("optional fields", () => {
  it("null counts as absent", () => {
    const absent = decoded(TripInput, required)
    const nulls = Object.fromEntries(optional.map((field) => [field, null]))
    assert.deepStrictEqual(decoded(TripInput, { ...nulls, ...required }), absent)
    for (const field of optional)
      assert.deepStrictEqual(Reflect.get(absent, field), defaults[field] ?? null, field)
  })

  it("a blank text counts as absent", () => {
    for (const field of [...texts, "customer_email", "booker_email"])
      assert.deepStrictEqual(decoded(TripInput, { ...required, [field]: "  " }), decoded(TripInput, required))
  })

  it("unknown fields are ignored", () => {
    assert.deepStrictEqual(
      decoded(TripInput, { ...required, status: "completed", business_id: 9, constructor: 1 }),
      decoded(TripInput, required)
    )
  })
})

describe("an accepted input", () => {
  it("texts are trimmed, emails in lower case, currencies in upper case", () => {
    const taken: object = decoded(TripInput, {
      ...required,
      customer_name: "  Zoë ",
      customer_email: " Zoe@Example.COM ",
      currency: "chf",
      total_amount: 129.5,
      trip_type: "hourly",
      car_id: 4,
      participants_count: 3,
      pickup_lat: -90,
      pickup_lng: 180
    })
    assert.deepInclude(taken, {
      customer_name: "Zoë",
      customer_email: "zoe@example.com",
      currency: "CHF",
      total_amount: 129.5,
      trip_type: "hourly",
      car_id: 4,
      participants_count: 3,
      pickup_lat: -90,
      pickup_lng: 180
    })
  })

  it("every trip type is accepted, and the length of a text is its number of characters as people count them", () => {
    for (const trip_type of TripType.literals) assert.deepStrictEqual(refusalOf({ trip_type }), [])
    assert.deepStrictEqual(refusalOf({ customer_name: "🚗".repeat(200), notes: ` ${"é".repeat(5000)} ` }), [])
  })

  it("a decoded input encodes and decodes to itself", () => {
    const taken = decoded(TripInput, { ...required, customer_email: "a@b.ch", currency: "jpy", notes: "x" })
    const sent: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(TripInput)(taken)))
    assert.deepStrictEqual(decoded(TripInput, sent), taken)
  })
})

describe("a refused input", () => {
  const wrong = [
    ["pickup_address", "x".repeat(501), "too_long"],
    ["dropoff_address", "x".repeat(501), "too_long"],
    ["customer_name", "x".repeat(201), "too_long"],
    ["customer_phone", "x".repeat(41), "too_long"],
    ["pickup_postal_code", "x".repeat(21), "too_long"],
    ["flight_number", "x".repeat(21), "too_long"],
    ["terminal", "x".repeat(51), "too_long"],
    ["notes", "x".repeat(5001), "too_long"],
    ["special_requirements", "x".repeat(5001), "too_long"],
    ["customer_email", `a@${"x.".repeat(130)}ch`, "too_long"],
    ["customer_email", "nobody", "invalid"],
    ["trip_date", "2026-02-30T09:30:00Z", "invalid"],
    ["trip_type", "teleport", "unknown_value"],
    ["trip_type", "TRANSFER", "unknown_value"],
    ["currency", "XXX", "unknown_value"],
    ["currency", "dollars", "unknown_value"],
    ["pickup_lat", 90.1, "out_of_range"],
    ["pickup_lat", -90.1, "out_of_range"],
    ["dropoff_lat", 1e21, "out_of_range"],
    ["pickup_lng", 180.1, "out_of_range"],
    ["dropoff_lng", -181, "out_of_range"],
    ["participants_count", 0, "out_of_range"],
    ["participants_count", -1, "out_of_range"],
    ["participants_count", 10_001, "out_of_range"],
    ["total_amount", -0.01, "out_of_range"],
    ["total_amount", 1e21, "out_of_range"],
    ["total_amount", 0.00001, "invalid"],
    ["car_id", 0, "out_of_range"],
    ["car_id", -4, "out_of_range"],
    ["car_id", 1e21, "out_of_range"],
    ["external_ref", "x".repeat(101), "too_long"],
    ["internal_notes", "x".repeat(5001), "too_long"],
    ["vehicle_class", "rocket", "unknown_value"],
    ["luggage_count", -1, "out_of_range"],
    ["booker_email", "nobody", "invalid"],
    ["linked_trip_id", 0, "out_of_range"],
    ["leg", "sideways", "unknown_value"],
    ["distance_m", -1, "out_of_range"],
    ["distance_m", 1.5, "invalid"],
    ["pickup_timezone", "Mars/Olympus", "unknown_value"],
    ["arrival", "bus", "unknown_value"],
    ["pickup_airport", "Zurich", "invalid"],
    ["dropoff_airport", "zrh", "invalid"],
    ["waiting_minutes", -1, "out_of_range"],
    ["waiting_minutes", 44_641, "out_of_range"],
    ["tolls_amount", -0.01, "out_of_range"]
  ] as const

  it.each(wrong)("%s %j is %s", (field, value, issue) => {
    assert.deepStrictEqual(refusalOf({ [field]: value }), [`${field} ${issue}`])
  })

  it("a text that cannot be stored is refused in any field", () => {
    for (const text of ["a\u0000b", "a\ud800b", "\udc00"]) {
      const issues = issuesOf(TripInput, everyField(text))
      assert.deepStrictEqual(
        issues,
        fields.map((field) => `${field} ${words.includes(field) ? "unknown_value" : "invalid"}`)
      )
    }
  })

  it("a value of the wrong type is refused in any field", () => {
    const isRight = (field: string, value: unknown) =>
      (flags.includes(field) && value === true) ||
      (field === "metadata" && !Array.isArray(value) && value !== true) ||
      (lists.includes(field) && Array.isArray(value))
    for (const value of [{}, [], true, [null], { length: 1 }])
      assert.deepStrictEqual(
        issuesOf(TripInput, everyField(value)).filter((issue) => !issue.includes(".")),
        each(
          fields.filter((field) => !isRight(field, value)),
          "invalid"
        )
      )
    assert.deepStrictEqual(refusalOf({ metadata: { length: 1 }, stops: [null] }), [
      "metadata.length invalid",
      "stops.0 required"
    ])
    for (const field of numbers) assert.deepStrictEqual(refusalOf({ [field]: "1" }), [`${field} invalid`])
    for (const field of fields.filter((name) => !numbers.includes(name)))
      assert.deepStrictEqual(refusalOf({ [field]: 5 }), [`${field} invalid`])
  })

  it("each wrong field of a list and of the metadata is named by its path", () => {
    assert.deepStrictEqual(
      refusalOf({
        stops: [{ address: "Here" }, { lat: 91, lng: "x", minutes: -1, contact: 5 }],
        passengers: [{ name: " ", email: "nobody", phone: "1".repeat(41) }],
        child_seats: [{ type: "infant", count: 0 }, { count: 1.5 }],
        metadata: { order: 5, note: "x".repeat(501), fine: "x" }
      }),
      [
        "metadata.order invalid",
        "metadata.note too_long",
        "child_seats.0.count out_of_range",
        "child_seats.1.type required",
        "child_seats.1.count invalid",
        "stops.1.address required",
        "stops.1.lat out_of_range",
        "stops.1.lng invalid",
        "stops.1.contact invalid",
        "stops.1.minutes out_of_range",
        "passengers.0.name required",
        "passengers.0.phone too_long",
        "passengers.0.email invalid"
      ]
    )
  })

  it("a list that is too long, and metadata with too many or unusable keys, are refused", () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, key) => [`key ${key}`, "x"]))
    const stops = (count: number) => Array.from({ length: count }, () => ({ address: "Here" }))
    assert.deepStrictEqual(refusalOf({ metadata: keys(20), stops: stops(50) }), [])
    assert.deepStrictEqual(refusalOf({ metadata: keys(21), stops: stops(51) }), [
      "metadata too_long",
      "stops too_long"
    ])
    assert.deepStrictEqual(refusalOf({ metadata: { ["x".repeat(41)]: "x" } }), ["metadata too_long"])
    for (const key of ["", " x", "a\u0000b", "\ud800"])
      assert.deepStrictEqual(refusalOf({ metadata: { [key]: "x" } }), ["metadata invalid"])
    assert.deepStrictEqual(refusalOf({ metadata: JSON.parse('{"__proto__":"x"}') }), ["metadata invalid"])
  })

  it("the name of the customer is required unless a customer is named by id, also beside other wrong fields", () => {
    const { customer_name: _name, ...unnamed } = required
    assert.deepStrictEqual(issuesOf(TripInput, unnamed), ["customer_name required"])
    assert.deepStrictEqual(issuesOf(TripInput, { ...unnamed, customer_name: " ", car_id: 0 }), [
      "customer_name required",
      "car_id out_of_range"
    ])
    assert.deepStrictEqual(issuesOf(TripInput, { ...unnamed, customer_id: 7 }), [])
    assert.deepStrictEqual(issuesOf(TripInput, { ...unnamed, customer_id: 7, car_id: 0 }), [
      "car_id out_of_range"
    ])
  })

  it("all wrong fields are named in one response, each once, in the order of the payload", () => {
    const values = new Map<string, unknown>(wrong.map(([field, value]) => [field, value]))
    const issues = issuesOf(TripInput, Object.fromEntries(values))
    assert.deepStrictEqual(
      issues.map((line) => line.split(" ")[0]),
      fields.filter((field) => values.has(field))
    )
  })

  it("a body that is no object is refused as a whole", () => {
    for (const body of [5, "x", true, [], [required]])
      assert.deepStrictEqual(issuesOf(TripInput, body), [" invalid"])
    assert.deepStrictEqual(issuesOf(TripInput, null), [" required"])
  })
})
