import { assert, describe, it } from "@effect/vitest"
import {
  CarChanges,
  CarInput,
  CustomerChanges,
  CustomerInput,
  daysIssues,
  daysOf,
  DriverChanges,
  DriverInput,
  DriverSet,
  ConfirmationInput,
  InvitationAcceptance,
  TripChanges
} from "@livery/domain"
import { DateTime } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"

it("null counts as absent, also for a boolean", () => {
  assert.isTrue(decoded(CarInput, { name: "A", active: null }).active)
  assert.deepInclude(decoded(DriverInput, { name: "A", active: null, confirm_seat: null }), {
    active: true,
    confirm_seat: false
  })
  assert.isFalse(decoded(DriverChanges, { name: "A", confirm_seat: null }).confirm_seat)
  assert.isFalse(decoded(ConfirmationInput, { force: null }).force)
  assert.deepStrictEqual(issuesOf(TripChanges, { notes: "A", force: null }), [])
  assert.deepStrictEqual(issuesOf(DriverSet, { driver_ids: [], force: null }), [])
  assert.deepStrictEqual(issuesOf(CarInput, { name: "A", active: "true" }), ["active invalid"])
  assert.deepStrictEqual(issuesOf(ConfirmationInput, { force: 1 }), ["force invalid"])
})

describe("a car's input", () => {
  it("accepts the bounds of every number, and no value beyond them", () => {
    for (const car of [
      { year: 1900, seats: 1, luggage: 0 },
      { year: 2100, seats: 200, luggage: 1000 }
    ])
      assert.deepInclude(decoded(CarInput, { name: "A", ...car }), car)
    for (const car of [
      { year: 1899, seats: 0, luggage: -1 },
      { year: 2101, seats: 201, luggage: 1001 }
    ])
      assert.deepStrictEqual(issuesOf(CarInput, { name: "A", ...car }), [
        "year out_of_range",
        "seats out_of_range",
        "luggage out_of_range"
      ])
  })

  it("reads null and blank as absent, and accepts http and https addresses only", () => {
    const car = decoded(CarInput, { name: "A", make: " ", year: null, photo_url: "" })
    assert.deepInclude(car, { make: null, year: null, photo_url: null, active: true })
    for (const photo_url of [
      "javascript:alert(1)",
      "data:text/html,x",
      "//example.com",
      "https://",
      "https:/example.com",
      "https://[",
      "https://exa<script>.com/",
      "https://example.com:99999/",
      "https://256.1.1.1/",
      "https://example.com/a b",
      "https://example.com/a\tb",
      "https://example.com/a\u0001b",
      "https://example.com/a\u0085b",
      "https://exam\nple.com/"
    ])
      assert.deepStrictEqual(issuesOf(CarInput, { name: "A", photo_url }), ["photo_url invalid"])
    for (const photo_url of ["http://example.com", "HTTPS://exämple.com:8443/a?b=c#d", "https://[::1]/x"])
      assert.strictEqual(decoded(CarInput, { name: "A", photo_url: ` ${photo_url}\n` }).photo_url, photo_url)
  })

  it("reads a kind of car with spaces around it, in a change as well", () => {
    assert.strictEqual(decoded(CarInput, { name: "A", vehicle_class: " sedan " }).vehicle_class, "sedan")
    assert.strictEqual(decoded(CarChanges, { vehicle_class: "van\n" }).vehicle_class, "van")
    for (const issues of [
      (car: object) => issuesOf(CarInput, { name: "A", ...car }),
      (car: object) => issuesOf(CarChanges, car)
    ])
      assert.deepStrictEqual(
        [" ", "Sedan", "se dan", 7].map((vehicle_class) => issues({ vehicle_class })[0]),
        [
          "vehicle_class unknown_value",
          "vehicle_class unknown_value",
          "vehicle_class unknown_value",
          "vehicle_class invalid"
        ]
      )
  })

  it("reads a day with spaces around it", () => {
    const license_expires_on = " 2027-01-31 "
    assert.strictEqual(
      decoded(DriverInput, { name: "A", license_expires_on }).license_expires_on,
      "2027-01-31"
    )
    assert.deepStrictEqual(issuesOf(DriverInput, { name: "A", license_expires_on: "2027-02-30" }), [
      "license_expires_on invalid"
    ])
  })
})

describe("a change", () => {
  it("without a known field is refused, even if it has other fields", () => {
    for (const schema of [CarChanges, DriverChanges, CustomerChanges])
      for (const nothing of [{}, { unknown: 1 }])
        assert.deepStrictEqual(issuesOf(schema, nothing), [" required"])
    assert.deepStrictEqual(issuesOf(DriverChanges, { confirm_seat: true }), [" required"])
  })

  it("contains only the given fields; null clears", () => {
    assert.deepStrictEqual(decoded(CarChanges, { color: null, seats: null }), { color: null, seats: null })
    assert.deepStrictEqual(decoded(CustomerChanges, { email: " ADA@example.com " }), {
      email: "ada@example.com"
    })
    assert.deepStrictEqual(decoded(DriverChanges, { license_expires_on: null, photo_url: null }), {
      license_expires_on: null,
      photo_url: null,
      confirm_seat: false
    })
    assert.deepStrictEqual(issuesOf(CustomerChanges, { name: null }), ["name required"])
  })
})

describe("a driver's and a customer's input", () => {
  it("require only a name", () => {
    assert.deepInclude(decoded(DriverInput, { name: "Dan" }), {
      active: true,
      confirm_seat: false,
      email: null
    })
    assert.deepInclude(decoded(CustomerInput, { name: "Ada" }), { email: null, phone: null })
    assert.deepStrictEqual(issuesOf(DriverInput, { confirm_seat: "yes" }), [
      "name required",
      "confirm_seat invalid"
    ])
  })

  it("an acceptance of an invitation needs a password of 8 characters, which is never printed", () => {
    const acceptance = decoded(InvitationAcceptance, { code: "AAAA", password: "12345678" })
    assert.notInclude(JSON.stringify(acceptance), "12345678")
    assert.deepStrictEqual(issuesOf(InvitationAcceptance, { code: "A", password: "1234567" }), [
      "password too_short"
    ])
  })
})

describe("the days of an availability", () => {
  const now = DateTime.makeUnsafe("2026-11-20T23:30:00Z")

  it("are today in the business's time zone by default, and one day if only the first is given", () => {
    assert.deepStrictEqual(daysOf({}, now, "Europe/Zurich"), { from: "2026-11-21", to: "2026-11-21" })
    assert.deepStrictEqual(daysOf({}, now, "UTC"), { from: "2026-11-20", to: "2026-11-20" })
    assert.deepStrictEqual(daysOf({ date_from: "2026-12-01" }, now, "UTC"), {
      from: "2026-12-01",
      to: "2026-12-01"
    })
  })

  it("are 1 to 31, also across a clock change", () => {
    const issues = (from: string, to: string) => daysIssues({ from, to }).length
    assert.strictEqual(issues("2026-10-01", "2026-10-31"), 0)
    assert.strictEqual(issues("2026-10-01", "2026-11-01"), 1)
    assert.strictEqual(issues("2026-10-02", "2026-10-01"), 1)
  })
})
