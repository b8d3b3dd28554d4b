import { assert, describe, it } from "@effect/vitest"
import {
  compilePayScheme,
  DriverTerms,
  type DriverWork,
  type Fare,
  PaidTrip,
  PayScheme,
  statementOf
} from "@livery/domain"
import { DateTime, Result, Schema } from "effect"
import { decoded, issuesOf } from "../support/Decoding.ts"
import { fareOf, sedan, trip } from "./Tariffs.ts"

const scheme = (sent: object) => decoded(PayScheme, { name: "S", currency: "EUR", ...sent })
const alone: DriverWork = { minutes: 90, driver: 0, drivers: 1 }
const pay = (sent: object, fare: Fare, work: DriverWork = alone) =>
  Result.getOrThrow(compilePayScheme(scheme(sent))).pay(fare, work)
const lines = (sent: object, fare: Fare, work: DriverWork = alone) =>
  pay(sent, fare, work).lines.map(({ minor, of_minor, rule, step }) => `${step} ${rule} ${of_minor} ${minor}`)
const refused = (sent: object) =>
  Result.match(compilePayScheme(scheme(sent)), {
    onSuccess: () => [],
    onFailure: ({ issues }) => issues.map(({ field, issue }) => `${field} ${issue}`)
  })

const fare = fareOf(
  sedan({
    dates: [{ when: [{}], percent: 10 }],
    waiting: [{ amount: 0.5 }],
    tolls: [{ amount: 8 }],
    gratuity: [{ percent: 15 }]
  }),
  { waiting_minutes: 20 }
)

it("a statement of a stored fare with a part of a minor unit fails, because it would otherwise leave the amount out", () => {
  const terms = decoded(DriverTerms, {
    driver_id: 1,
    name: "Grace",
    schemes: [{ valid_from: "2026-01-01", ...scheme({ shares: [{ steps: ["base"], percent: 50 }] }) }]
  })
  const at = DateTime.makeUnsafe("2026-06-17T10:00:00Z")
  const paid = (amount: number): PaidTrip =>
    Schema.decodeUnknownSync(Schema.toType(PaidTrip))({
      trip_id: 1,
      reference: "TR-1",
      trip_date: at,
      duration_minutes: 60,
      pickup_address: "A",
      dropoff_address: "B",
      currency: "EUR",
      total_minor: 10_000,
      drivers: [1],
      en_route_at: null,
      done_at: null,
      fare_currency: "EUR",
      fare: {
        engine_version: 1,
        inputs: trip(),
        fare: {
          vehicle_class: "sedan",
          lines: [{ step: "base", rule: "base", name: null, inputs: {}, of_amount: null, amount }],
          total_amount: 100,
          tax_amount: 0
        }
      }
    })
  const days = { from: "2026-06-01", to: "2026-06-30" }
  assert.strictEqual(statementOf(terms, [paid(100)], days, "UTC").totals[0]?.total_amount, 50)
  assert.throws(() => statementOf(terms, [paid(100.001)], days, "UTC"))
})

describe("a driver's pay", () => {
  it("is a share of chosen lines of the fare", () => {
    const shares = [
      { id: "ride", steps: ["base", "dates"], percent: 40 },
      { id: "waiting", steps: ["waiting"], percent: 100 },
      { id: "tip", steps: ["gratuity"], percent: 100 },
      { id: "tax", steps: ["tax"], percent: 50 }
    ]
    assert.deepStrictEqual(lines({ shares }, fare), [
      "share ride 11000 4400",
      "share waiting 1000 1000",
      "share tip 1800 1800",
      "share tax 0 0"
    ])
    assert.strictEqual(pay({ shares }, fare).total_minor, 7200)
  })

  it("names a share without an id after its position", () => {
    const tip = { steps: ["gratuity"], percent: 100 }
    const shares = [{ id: "ride", steps: ["base"], percent: 40 }, tip, { ...tip, id: null }]
    assert.deepStrictEqual(lines({ shares }, fare), [
      "share ride 10000 4000",
      "share share:2 1800 1800",
      "share share:3 1800 1800"
    ])
  })

  it("is refused for a scheme that has neither shares nor an amount, because it would pay nothing", () => {
    assert.deepStrictEqual(refused({}), ["shares required"])
    assert.deepStrictEqual(refused({ shares: [], tax_percent: 8, minimum_minutes: 60 }), ["shares required"])
    for (const amount of ["per_hour", "flat", "minimum"]) assert.deepStrictEqual(refused({ [amount]: 0 }), [])
  })

  it("is not lowered by a share whose lines are a discount only", () => {
    const discounted = fareOf(sedan({ dates: [{ when: [{}], percent: -10 }] }))
    const shares = [
      { id: "discount", steps: ["dates"], percent: 50 },
      { id: "ride", steps: ["base", "dates"], percent: 50 }
    ]
    assert.deepStrictEqual(lines({ shares }, discounted), ["share discount 0 0", "share ride 9000 4500"])
  })

  it("is a share of the lines without the tax that they contain", () => {
    const shares = [{ id: "ride", steps: ["base", "dates"], percent: 40 }]
    assert.deepStrictEqual(lines({ shares, tax_percent: 10 }, fare), ["share ride 10000 4000"])
  })

  it("is by the hour, for each started increment and at least a minimum", () => {
    assert.deepStrictEqual(lines({ per_hour: 30 }, fare), ["hours hours null 4500"])
    assert.deepStrictEqual(lines({ per_hour: 30, increment_minutes: 60 }, fare), ["hours hours null 6000"])
    assert.deepStrictEqual(lines({ per_hour: 30, minimum_minutes: 180 }, fare), ["hours hours null 9000"])
  })

  it("is a flat amount, raised to a minimum, and the sum of all parts of a scheme", () => {
    assert.deepStrictEqual(lines({ flat: 25, minimum: 30 }, fare), [
      "flat flat null 2500",
      "minimum minimum 3000 500"
    ])
    const all = { shares: [{ id: "s", steps: ["base"], percent: 10 }], per_hour: 20, flat: 5, minimum: 30 }
    assert.deepStrictEqual(lines(all, fare), [
      "share s 10000 1000",
      "hours hours null 3000",
      "flat flat null 500"
    ])
    assert.strictEqual(pay(all, fare).total_minor, 4500)
  })

  it("names every wrong field of its scheme", () => {
    assert.deepStrictEqual(
      issuesOf(PayScheme, { currency: "EUR", shares: [{ steps: ["ride"], percent: 101e1 }], per_hour: -1 }),
      [
        "name required",
        "shares.0.steps.0 unknown_value",
        "shares.0.percent out_of_range",
        "per_hour out_of_range"
      ]
    )
    const share = { id: "s", steps: [], percent: 1 }
    assert.deepStrictEqual(refused({ shares: [share, { ...share, steps: ["base"] }], flat: 1.001 }), [
      "flat invalid",
      "shares.0.steps required",
      "shares.1.id invalid"
    ])
  })
})

const Minor = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

it.prop(
  "the lines sum to the total, and the shares of several drivers sum to the share of one",
  {
    minor: Minor,
    percent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
    drivers: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))
  },
  ({ drivers, minor, percent }) => {
    const of: Fare = {
      vehicle_class: "sedan",
      lines: [{ step: "base", rule: "r", name: null, inputs: {}, of_minor: null, minor }],
      total_minor: minor,
      tax_minor: 0
    }
    const sent = { shares: [{ id: "s", steps: ["base"], percent }], minimum: 1 }
    const totals = Array.from({ length: drivers }, (_, driver) => {
      const paid = pay(sent, of, { minutes: 0, driver, drivers })
      assert.strictEqual(
        paid.lines.reduce((sum, line) => sum + line.minor, 0),
        paid.total_minor
      )
      return paid.lines[0]?.minor ?? 0
    })
    assert.strictEqual(
      totals.reduce((sum, part) => sum + part, 0),
      pay(sent, of).lines[0]?.minor
    )
  }
)
