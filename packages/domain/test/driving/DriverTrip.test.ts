import { assert, describe, it } from "@effect/vitest"
import {
  type AssignmentId,
  type DriverTrip,
  DriverProfileRecord,
  DriverTripRecord,
  driverTripRecord,
  type TripId
} from "@livery/domain"
import { DateTime, Schema } from "effect"

/** The words in the names of fields that a driver must not receive. */
const secret =
  /amount|price|minor|currency|paid|payment|email|fee|internal|cost|po_number|external|metadata|booker|group|linked|leg/iu

/** Every key of a schema at any depth, from its JSON Schema. */
const keysOf = (schema: unknown): ReadonlyArray<string> => {
  if (Array.isArray(schema)) return schema.flatMap(keysOf)
  if (typeof schema !== "object" || schema === null) return []
  return Object.entries(schema).flatMap(([key, inner]) => [
    ...(key === "properties" ? Object.keys(inner as object) : []),
    ...keysOf(inner)
  ])
}

/** The stored trip and its record have none of these fields: otherwise this does not compile. */
type Secret =
  | "total_amount"
  | "total_minor"
  | "currency"
  | "payment_status"
  | "customer_email"
  | "internal_notes"
  | "po_number"
  | "cost_center"
  | "metadata"
  | "booker_email"
const none: ReadonlyArray<Extract<keyof DriverTrip | keyof DriverTripRecord, Secret>> = []

const trip: DriverTrip = {
  flight_status: null,
  trip_id: 5 as TripId,
  assignment_id: 6 as AssignmentId,
  reference: "TR-1",
  trip_status: "confirmed",
  status: "assigned",
  accepted_at: null,
  declined_at: null,
  pickup_pin_required: false,
  trip_type: "transfer",
  trip_date: DateTime.makeUnsafe("2026-11-20T10:30:00Z"),
  duration_minutes: 60,
  pickup_address: "Here",
  pickup_postal_code: null,
  pickup_lat: null,
  pickup_lng: null,
  dropoff_address: "There",
  dropoff_postal_code: null,
  dropoff_lat: null,
  dropoff_lng: null,
  customer_name: "Ada",
  customer_phone: null,
  car: null,
  participants: [],
  flight_number: null,
  terminal: null,
  participants_count: null,
  notes: null,
  special_requirements: null,
  vehicle_class: null,
  luggage_count: null,
  child_seats: [],
  pickup_sign: null,
  stops: [],
  passengers: [],
  distance_m: null,
  arrival: "flight",
  pickup_airport: "ZRH",
  dropoff_airport: null,
  meet_and_greet: true,
  pickup_timezone: null,
  milestones: [],
  created_at: DateTime.makeUnsafe("2026-11-20T09:00:00Z"),
  updated_at: DateTime.makeUnsafe("2026-11-20T09:00:00Z")
}

describe("a driver's trip", () => {
  it("has no field for a price, a payment or an email, at any depth", () => {
    for (const record of [DriverTripRecord, DriverProfileRecord]) {
      const keys = keysOf(Schema.toJsonSchemaDocument(record))
      assert.includeMembers([...keys], ["name"])
      assert.deepStrictEqual(
        keys.filter((key) => secret.test(key)),
        []
      )
    }
    assert.isEmpty(none)
  })

  it("has no field in the response beyond its schema, even if the row has more fields", () => {
    const passenger = { name: "Bob", phone: "+41", email: "bob@example.com" }
    const read = {
      ...trip,
      total_minor: 12_950,
      customer_email: "ada@example.com",
      internal_notes: "Pays late",
      passengers: [passenger]
    }
    const sent = JSON.stringify(Schema.encodeSync(DriverTripRecord)(driverTripRecord(read, "UTC")))
    assert.notMatch(sent, /12950|example\.com|Pays late/u)
    assert.match(sent, /Bob/u)
  })

  it("has the time on the clock of the place of the pickup", () => {
    const clocks = (change: Partial<DriverTrip>) => {
      const { pickup_at, pickup_local, pickup_timezone } = driverTripRecord(
        { ...trip, ...change },
        "Europe/Zurich"
      )
      return [pickup_at, pickup_local, pickup_timezone]
    }
    assert.deepStrictEqual(clocks({}), ["2026-11-20 11:30:00", "2026-11-20 11:30:00", "Europe/Zurich"])
    assert.deepStrictEqual(clocks({ pickup_timezone: "Europe/London" }), [
      "2026-11-20 11:30:00",
      "2026-11-20 10:30:00",
      "Europe/London"
    ])
  })

  it("lists the moves of its driver, and none while the trip is pending or has ended", () => {
    const next = (change: Partial<DriverTrip>) =>
      driverTripRecord({ ...trip, ...change }, "Europe/Zurich").allowed_transitions
    assert.deepStrictEqual(next({}), ["en_route", "cancelled"])
    assert.deepStrictEqual(next({ status: "en_route", trip_status: "in_progress" }), [
      "completed",
      "cancelled"
    ])
    for (const trip_status of ["pending", "completed", "cancelled"] as const)
      assert.deepStrictEqual(next({ trip_status }), [])
    assert.strictEqual(driverTripRecord(trip, "Europe/Zurich").pickup_at, "2026-11-20 11:30:00")
  })
})
