import { assert, describe, it } from "@effect/vitest"
import { compiled, fareOf, linesOf, place, sedan, totalOf } from "./Tariffs.ts"

const night = { from: "22:00", to: "06:00" }

describe("charges by the piece", () => {
  const airports = [
    { id: "zrh", name: "Zurich", kind: "airport", airport: "ZRH" },
    { id: "gva", name: "Geneva", kind: "airport", airport: "GVA" }
  ]

  const withAirports = (fees: ReadonlyArray<object>) =>
    sedan({ airport: fees }, undefined, { zones: airports })

  it("an airport pickup and an airport dropoff each cost their own amount", () => {
    const fees = withAirports([
      { zone: "gva", pickup: 9 },
      { pickup: 5, dropoff: 3 }
    ])
    const zrh = place({ airport: "ZRH" })
    const gva = place({ airport: "GVA" })
    assert.strictEqual(totalOf(fees, { pickup: zrh }), 10_500)
    assert.strictEqual(totalOf(fees, { dropoff: zrh }), 10_300)
    assert.strictEqual(totalOf(fees, { pickup: gva, dropoff: zrh }), 11_200)
    assert.strictEqual(totalOf(fees), 10_000)
    // The fee for any airport also applies to an airport that is no zone of the tariff.
    assert.strictEqual(totalOf(fees, { pickup: place({ airport: "LHR" }) }), 10_500)
    assert.strictEqual(totalOf(fees, { trip_type: "airport_arrival" }), 10_500)
    assert.strictEqual(totalOf(fees, { trip_type: "airport_departure" }), 10_300)
    assert.deepStrictEqual(fareOf(fees, { pickup: gva }).lines[1]?.inputs, { end: "pickup", zone: "gva" })
  })

  it("meet and greet is charged when it is ordered", () => {
    const greeted = sedan({ meet_and_greet: [{ amount: 15 }] })
    assert.strictEqual(totalOf(greeted), 10_000)
    assert.strictEqual(totalOf(greeted, { meet_and_greet: true }), 11_500)
  })

  it("stops beyond the included ones are charged, and minutes beyond the free ones", () => {
    const stops = sedan({ stops: [{ included: 1, amount: 10, free_minutes: 5, per_minute: 0.5 }] })
    assert.strictEqual(totalOf(stops), 10_000)
    assert.strictEqual(totalOf(stops, { stop_minutes: [5] }), 10_000)
    assert.strictEqual(totalOf(stops, { stop_minutes: [5, 15, 0] }), 10_000 + 2000 + 500)
  })

  it("child seats are charged by their number and type", () => {
    const seats = sedan({ child_seats: [{ types: ["infant"], amounts: [10] }, { amounts: [0, 5, 3] }] })
    const of = (...counts: ReadonlyArray<readonly [string, number]>) =>
      totalOf(seats, { child_seats: counts.map(([type, count]) => ({ type, count })) }) - 10_000
    assert.strictEqual(of(["booster", 1]), 0)
    assert.strictEqual(of(["booster", 2]), 500)
    assert.strictEqual(of(["booster", 1], ["forward", 4]), 500 + 300 + 300 + 300)
    assert.strictEqual(of([" Infant ", 2], ["booster", 1]), 2000)
  })

  it("the types of child seats are compared without upper and lower case, also those of the tariff", () => {
    const seats = sedan({ child_seats: [{ types: ["Infant"], amounts: [10] }] })
    for (const type of ["infant", "Infant", "INFANT "])
      assert.strictEqual(totalOf(seats, { child_seats: [{ type, count: 1 }] }), 11_000)
  })

  it("from a number of passengers on, a fee is charged once, for each passenger, or as a percentage of the base", () => {
    const fees = sedan({
      passengers: [
        { from: 5, to: 6, amount: 10 },
        { from: 7, to: 8, amount: 3, each: true },
        { from: 9, percent: 40 }
      ]
    })
    const of = (passengers: number) => totalOf(fees, { passengers }) - 10_000
    assert.deepStrictEqual([4, 5, 6, 7, 8, 9, 20].map(of), [0, 1000, 1000, 300, 600, 4000, 4000])
  })

  it("each piece of luggage beyond a number is charged", () => {
    const fees = sedan({ luggage: [{ beyond: 2, amount: 0.6 }] })
    assert.deepStrictEqual(
      [0, 2, 5].map((luggage) => totalOf(fees, { luggage }) - 10_000),
      [0, 0, 180]
    )
  })

  it("every toll that applies is charged, in both directions of a round trip, and tolls at cost are added", () => {
    const zones = ["1", "2"].map((prefix) => ({
      id: `z${prefix}`,
      name: prefix,
      kind: "postal",
      prefixes: [prefix]
    }))
    const tolls = [
      { from: "z1", to: "z2", amount: 8 },
      { to: "z2", amount: 15, direction: "one_way" }
    ]
    const fees = sedan({ tolls }, undefined, { zones })
    const [one, two] = [place({ postal_code: "1" }), place({ postal_code: "2" })]
    const of = (inputs: object) => totalOf(fees, inputs)
    assert.strictEqual(of({ pickup: one, dropoff: two }), 12_300)
    assert.strictEqual(of({ pickup: two, dropoff: one }), 10_800)
    assert.strictEqual(of({ pickup: place({}), dropoff: two, tolls_minor: 325 }), 11_825)
    assert.strictEqual(of({ pickup: one, dropoff: two, trip_type: "round_trip" }), 20_000 + 2300 + 800)
  })
})

describe("waiting", () => {
  const fees = sedan({
    waiting: [
      { arrivals: ["address", "train"], free_minutes: 15, amount: 15, per_minutes: 15 },
      { arrivals: ["flight"], free_minutes: 45, amount: 15, per_minutes: 15 },
      { arrivals: ["international_flight"], free_minutes: 60, amount: 10, per_minutes: 15 },
      { free_minutes: 5, amount: 1 }
    ]
  })

  it("is charged for each started period after the free minutes of the kind of arrival", () => {
    const of = (
      arrival: "address" | "domestic_flight" | "flight" | "international_flight" | "ship",
      waiting_minutes: number
    ) => totalOf(fees, { arrival, waiting_minutes }) - 10_000
    assert.deepStrictEqual(
      [0, 15, 16, 30, 31].map((minutes) => of("address", minutes)),
      [0, 0, 1500, 1500, 3000]
    )
    assert.deepStrictEqual(
      [45, 46].map((minutes) => of("flight", minutes)),
      [0, 1500]
    )
    assert.deepStrictEqual(
      [60, 61].map((minutes) => of("international_flight", minutes)),
      [0, 1000]
    )
    // A domestic flight has no rule of its own: that for flights applies.
    assert.strictEqual(of("domestic_flight", 46), 1500)
    assert.strictEqual(of("ship", 8), 300)
  })
})

describe("a trip that was not driven", () => {
  const modifiers = {
    night: [{ when: [night], percent: 20 }],
    waiting: [{ free_minutes: 15, amount: 1 }],
    gratuity: [{ percent: 20 }],
    late_cancellation: [
      {
        steps: [
          { within_minutes: 1440, percent: 50 },
          { within_minutes: 120, percent: 100 }
        ],
        classes: ["sedan"]
      }
    ],
    minimum: [{ amount: 130 }],
    tax: { included: false, rates: [{ percent: 10 }] }
  }

  const cancelled = (minutes: number, days: number, of: object = modifiers) =>
    linesOf(sedan(of), { outcome: "cancelled", notice: { minutes, days }, waiting_minutes: 90 })

  it("costs, if it was cancelled, the percentage for its notice, of the ride raised to the minimum", () => {
    assert.deepStrictEqual(cancelled(1440, 1), [])
    assert.deepStrictEqual(cancelled(1439, 1), [
      "late_cancellation late_cancellation:1 6500",
      "tax tax:1 650"
    ])
    assert.deepStrictEqual(cancelled(119, 0), [
      "late_cancellation late_cancellation:1 13000",
      "tax tax:1 1300"
    ])
    assert.deepStrictEqual(cancelled(-5, 0), [
      "late_cancellation late_cancellation:1 13000",
      "tax tax:1 1300"
    ])
    const [fee] = fareOf(sedan(modifiers), {
      outcome: "cancelled",
      notice: { minutes: 60, days: 0 },
      pickup_local: "2026-06-17 23:00:00"
    }).lines
    assert.deepInclude(fee, {
      of_minor: 13_000,
      minor: 13_000,
      inputs: { notice_minutes: 60, notice_days: 0, percent: 100 }
    })
  })

  it("may be charged by calendar days; the most expensive applicable step counts, in any order of the steps", () => {
    const steps = [
      { within_days: 0, percent: 100 },
      { within_days: 2, percent: 50 },
      { within_days: 7, percent: 30 },
      { within_minutes: 60, amount: 20 }
    ]
    const fee = (minutes: number, days: number) =>
      cancelled(minutes, days, { late_cancellation: [{ steps }] })
    assert.deepStrictEqual(
      [8, 7, 3, 2, 1, 0].map((days) => fee(days * 1440, days)),
      [
        [],
        ...[3000, 3000, 5000, 5000, 10_000].map((minor) => [`late_cancellation late_cancellation:1 ${minor}`])
      ]
    )
    assert.deepStrictEqual(fee(30, 1), ["late_cancellation late_cancellation:1 5000"])
  })

  it("costs nothing without a rule, and nothing if the business waives the fee", () => {
    assert.deepStrictEqual(cancelled(0, 0, {}), [])
    assert.deepStrictEqual(linesOf(sedan(modifiers), { outcome: "waived", tolls_minor: 500 }), [])
  })

  it("costs nothing if the base price includes the step", () => {
    const all = {
      modifiers,
      classes: [
        {
          vehicle_class: "sedan",
          distance: [{ base: 100, includes: ["late_cancellation", "no_show", "tax"] }]
        }
      ]
    }
    const notice = { minutes: 60, days: 0 }
    assert.deepStrictEqual(linesOf(compiled(all), { outcome: "cancelled", notice }), [])
    assert.deepStrictEqual(linesOf(compiled(all), { outcome: "no_show" }), [])
  })

  it("costs, after a no-show, the waiting, the tolls at cost and the whole ride, or the amount of a rule", () => {
    const inputs = { outcome: "no_show" as const, waiting_minutes: 45, tolls_minor: 200 }
    assert.deepStrictEqual(linesOf(sedan(modifiers), inputs), [
      "waiting waiting:1 3000",
      "tolls tolls:at_cost 200",
      "no_show no_show:whole_ride 13000",
      "tax tax:1 1620"
    ])
    assert.deepStrictEqual(linesOf(sedan({ no_show: [{ percent: 80 }] }), inputs), [
      "tolls tolls:at_cost 200",
      "no_show no_show:1 8000"
    ])
  })
})
