import { assert, describe, it } from "@effect/vitest"
import { compileTariff, fareSteps, FareStep, Tariff } from "@livery/domain"
import { Result } from "effect"
import { issuesOf } from "../support/Decoding.ts"
import { refused, tariff } from "./Tariffs.ts"

const issues = (sent: object) =>
  issuesOf(Tariff, { name: "T", currency: "EUR", classes: [{ vehicle_class: "sedan" }], ...sent })
const modified = (modifiers: object) => issues({ modifiers }).map((issue) => issue.replace("modifiers.", ""))
const night = { when: [{ from: "22:00", to: "06:00" }], percent: 20 }

describe("the shape of a tariff", () => {
  it("a field that is not sent is null, an empty list or its default", () => {
    const read = tariff({
      classes: [
        {
          vehicle_class: "van",
          fixed: [{ from: "a", to: "b", amount: 1 }],
          distance: [{ tiers: [{ amount: 2 }] }],
          hours: [{ per_hour: 30 }],
          days: null
        }
      ]
    })
    assert.strictEqual(read.distance_unit, "km")
    assert.isNull(read.modifiers)
    const [van] = read.classes
    assert.deepInclude(van, { max_passengers: null, days: [] })
    assert.deepInclude(van?.fixed[0], { id: null, name: null, when: [], includes: [], direction: "either" })
    assert.deepInclude(van?.distance[0], { base: 0, mode: "graduated", started: false, per_minute: 0 })
    assert.deepInclude(van?.distance[0]?.tiers[0], { up_to: null, per: 1 })
    assert.deepInclude(van?.hours[0], { increment_minutes: 60, minimum_minutes: 0, packages: [] })
  })

  it("every wrong field is named, wherever it is", () => {
    assert.deepStrictEqual(
      issuesOf(Tariff, {
        currency: "XXX",
        distance_unit: "yd",
        zones: [{ id: "A b", kind: "square", lat: 91, airport: "Zurich", points: [{ lat: 1 }] }],
        classes: [
          {
            vehicle_class: "rickshaw",
            fixed: [{ from: "", amount: -1, direction: "there" }],
            distance: [{ tiers: [{ up_to: 0, amount: "1" }], mode: "flat" }],
            hours: [{ per_hour: 1e9, increment_minutes: 0, packages: [{ minutes: 0.5 }] }],
            days: [{ amount: 1, hours: 25 }]
          }
        ]
      }),
      [
        "name required",
        "currency unknown_value",
        "distance_unit unknown_value",
        "zones.0.id invalid",
        "zones.0.name required",
        "zones.0.kind unknown_value",
        "zones.0.lat out_of_range",
        "zones.0.points.0.lng required",
        "zones.0.airport invalid",
        "classes.0.vehicle_class unknown_value",
        "classes.0.fixed.0.from required",
        "classes.0.fixed.0.to required",
        "classes.0.fixed.0.direction unknown_value",
        "classes.0.fixed.0.amount out_of_range",
        "classes.0.distance.0.tiers.0.up_to out_of_range",
        "classes.0.distance.0.tiers.0.amount invalid",
        "classes.0.distance.0.mode unknown_value",
        "classes.0.hours.0.per_hour out_of_range",
        "classes.0.hours.0.increment_minutes out_of_range",
        "classes.0.hours.0.packages.0.minutes invalid",
        "classes.0.hours.0.packages.0.amount required",
        "classes.0.days.0.hours out_of_range"
      ]
    )
    assert.deepStrictEqual(
      modified({
        night: [
          { ...night, when: [{ from: "25:00", weekdays: ["monday"], dates: [{ from: "02-30" }, {}] }] }
        ],
        dates: [{ percent: -101 }, { percent: 0.12345 }],
        child_seats: [{ amounts: [1, -1], types: [""] }],
        passengers: [{ from: 0, percent: -1 }],
        waiting: [{ arrivals: ["boat"], amount: 1, per_minutes: 0 }],
        rounding: { to: 0, mode: "off" },
        tax: { rates: [{ percent: 1001 }], exempt: ["waiting"] }
      }),
      [
        "night.0.when.0.from invalid",
        "night.0.when.0.weekdays.0 unknown_value",
        "night.0.when.0.dates.0.from invalid",
        "night.0.when.0.dates.1.from required",
        "dates.0.percent out_of_range",
        "dates.1.percent invalid",
        "child_seats.0.types.0 required",
        "child_seats.0.amounts.1 out_of_range",
        "passengers.0.from out_of_range",
        "passengers.0.percent out_of_range",
        "waiting.0.arrivals.0 unknown_value",
        "waiting.0.per_minutes out_of_range",
        "rounding.to out_of_range",
        "rounding.mode unknown_value",
        "tax.included required",
        "tax.exempt.0 unknown_value",
        "tax.rates.0.percent out_of_range"
      ]
    )
  })

  it("every list has a maximum length, which is checked before its items", () => {
    const many = (count: number) => Array.from({ length: count }, () => "wrong")
    assert.deepStrictEqual(issues({ zones: many(501), classes: many(8) }), [
      "zones too_long",
      "classes too_long"
    ])
    assert.deepStrictEqual(
      issues({
        zones: [{ id: "z", name: "Z", kind: "postal", prefixes: many(201), points: many(101) }],
        classes: [
          { vehicle_class: "sedan", fixed: many(501), distance: many(21), hours: many(21), days: many(21) },
          { vehicle_class: "suv", distance: [{ tiers: many(21) }], hours: [{ packages: many(51) }] }
        ]
      }),
      [
        "zones.0.prefixes too_long",
        "zones.0.points too_long",
        "classes.0.fixed too_long",
        "classes.0.distance too_long",
        "classes.0.hours too_long",
        "classes.0.days too_long",
        "classes.1.distance.0.tiers too_long",
        "classes.1.hours.0.packages too_long"
      ]
    )
    const lists = fareSteps
      .map(({ step }) => step)
      .filter((step) => !["base", "rounding", "tax"].includes(step))
    assert.deepStrictEqual(
      modified(Object.fromEntries(lists.map((list) => [list, many(101)]))),
      lists.map((list) => `${list} too_long`)
    )
    assert.deepStrictEqual(
      modified({
        night: [
          { percent: 1, when: many(21) },
          { percent: 1, when: [{ weekdays: many(8), dates: many(367) }] }
        ],
        child_seats: [{ amounts: many(21), types: many(21) }],
        late_cancellation: [{ steps: many(21) }],
        tax: { included: true, rates: many(6) }
      }),
      [
        "night.0.when too_long",
        "night.1.when.0.weekdays too_long",
        "night.1.when.0.dates too_long",
        "child_seats.0.types too_long",
        "child_seats.0.amounts too_long",
        "late_cancellation.0.steps too_long",
        "tax.rates too_long"
      ]
    )
  })
})

describe("the meaning of a tariff", () => {
  const classes = (rates: object) => [{ vehicle_class: "sedan", ...rates }]
  const a = { id: "a", name: "A", kind: "postal", prefixes: ["1"] }

  it("a tariff prices at least one class, and no class, zone or rule twice", () => {
    for (const classes of [[], null, undefined])
      assert.deepStrictEqual(issues({ classes }), ["classes required"])
    const empty = compileTariff({ ...tariff({}), classes: [] }, 1)
    assert.deepInclude(Result.getOrThrow(Result.flip(empty)).issues[0], {
      field: "classes",
      issue: "required"
    })
    assert.deepStrictEqual(
      refused({
        zones: [a, a],
        classes: [
          { vehicle_class: "sedan", distance: [{ id: "x" }, { id: "x" }] },
          { vehicle_class: "sedan", hours: [{ id: "x", per_hour: 1 }] }
        ]
      }),
      [
        "zones.1.id invalid",
        "classes.0.distance.1.id invalid",
        "classes.1.vehicle_class invalid",
        "classes.1.hours.0.id invalid"
      ]
    )
  })

  it("a zone has the fields that its kind requires", () => {
    const of = (fields: object) => refused({ zones: [{ id: "z", name: "Z", ...fields }] })
    assert.deepStrictEqual(of({ kind: "postal" }), ["zones.0.prefixes required"])
    assert.deepStrictEqual(of({ kind: "circle", lat: 1 }), [
      "zones.0.lng required",
      "zones.0.radius_m required"
    ])
    assert.deepStrictEqual(of({ kind: "polygon" }), ["zones.0.points required"])
    const line = [
      { lat: 1, lng: 1 },
      { lat: 2, lng: 2 },
      { lat: 3, lng: 3 }
    ]
    assert.deepStrictEqual(of({ kind: "polygon", points: line }), ["zones.0.points invalid"])
    assert.deepStrictEqual(of({ kind: "airport" }), ["zones.0.airport required"])
    assert.deepStrictEqual(of({ kind: "airport", airport: "ZRH", lat: 1 }), [
      "zones.0.lng required",
      "zones.0.radius_m required"
    ])
    assert.deepStrictEqual(of({ kind: "airport", prefixes: ["8058"] }), [])
  })

  it("a rule names zones of its tariff", () => {
    assert.deepStrictEqual(
      refused({
        zones: [a],
        classes: classes({ fixed: [{ from: "a", to: "b", amount: 1 }] }),
        modifiers: { airport: [{ zone: "c" }], tolls: [{ from: "d", to: "a", amount: 1 }] }
      }),
      [
        "classes.0.fixed.0.to not_found",
        "modifiers.airport.0.zone not_found",
        "modifiers.tolls.0.from not_found"
      ]
    )
  })

  it("an amount has no more decimals than the currency", () => {
    const sent = {
      classes: classes({ distance: [{ base: 1.5, tiers: [{ amount: 0.25 }], per_minute: 0.125 }] })
    }
    assert.deepStrictEqual(refused({ ...sent, currency: "KWD" }), [])
    assert.deepStrictEqual(refused({ ...sent, currency: "EUR" }), ["classes.0.distance.0.per_minute invalid"])
    assert.deepStrictEqual(refused({ ...sent, currency: "JPY" }), [
      "classes.0.distance.0.base invalid",
      "classes.0.distance.0.tiers.0.amount invalid",
      "classes.0.distance.0.per_minute invalid"
    ])
  })

  it("tiers have rising ends, and only the last one has none", () => {
    const tiers = (...ends: ReadonlyArray<number | null>) =>
      refused({ classes: classes({ distance: [{ tiers: ends.map((up_to) => ({ up_to, amount: 1 })) }] }) })
    assert.deepStrictEqual(tiers(1, 2, null), [])
    assert.deepStrictEqual(tiers(1, 2), [])
    assert.deepStrictEqual(tiers(2, 2), ["classes.0.distance.0.tiers.1.up_to out_of_range"])
    assert.deepStrictEqual(tiers(null, 2), ["classes.0.distance.0.tiers.0.up_to required"])
  })

  it("hours have a price, and the included distance of another hour or day never makes a booking cheaper", () => {
    assert.deepStrictEqual(refused({ classes: classes({ hours: [{}] }) }), [
      "classes.0.hours.0.per_hour required"
    ])
    assert.deepStrictEqual(
      refused({
        classes: classes({
          hours: [{ per_hour: 1, minimum_minutes: 60, packages: [{ minutes: 1, amount: 1 }] }]
        })
      }),
      ["classes.0.hours.0.minimum_minutes invalid"]
    )
    const hours = (extra_distance: number) =>
      refused({ classes: classes({ hours: [{ per_hour: 30, distance_per_hour: 30, extra_distance }] }) })
    assert.deepStrictEqual(hours(1), [])
    assert.deepStrictEqual(hours(1.01), ["classes.0.hours.0.extra_distance out_of_range"])
    const days = (extra_distance: number) =>
      refused({ classes: classes({ days: [{ amount: 400, distance: 200, extra_distance }] }) })
    assert.deepStrictEqual(days(2), [])
    assert.deepStrictEqual(days(2.01), ["classes.0.days.0.extra_distance out_of_range"])
  })

  it("a charge is a percentage or an amount, and a surcharge by time has windows", () => {
    assert.deepStrictEqual(
      refused({
        modifiers: {
          night: [night, { percent: 1 }],
          gratuity: [{}, { percent: 1, amount: 1 }],
          passengers: [{ from: 5, to: 4, percent: 1, each: true }],
          child_seats: [{}],
          late_cancellation: [
            {},
            { steps: [{ percent: 1 }, { within_minutes: 1, within_days: 1, amount: 1 }] }
          ],
          tax: { included: true }
        }
      }),
      [
        "modifiers.night.1.when required",
        "modifiers.child_seats.0.amounts required",
        "modifiers.passengers.0.to out_of_range",
        "modifiers.passengers.0.each invalid",
        "modifiers.gratuity.0.percent required",
        "modifiers.gratuity.1.amount invalid",
        "modifiers.late_cancellation.0.steps required",
        "modifiers.late_cancellation.1.steps.0.within_minutes required",
        "modifiers.late_cancellation.1.steps.1.within_days invalid",
        "modifiers.tax.rates required"
      ]
    )
  })

  it("a window is not empty, and its dates are of one form and in order", () => {
    const windows = (...when: ReadonlyArray<object>) =>
      refused({ modifiers: { dates: [{ percent: 1, when }] } })
    assert.deepStrictEqual(
      windows(
        { from: "10:00", to: "10:00" },
        { from: "24:00" },
        {
          dates: [
            { from: "12-24", to: "01-02" },
            { from: "2026-12-24", to: "2026-12-23" },
            { from: "12-24", to: "2026-12-25" }
          ]
        },
        { from: "22:00", to: "00:00" }
      ),
      ["0.to", "1.to", "2.dates.1.to", "2.dates.2.to"].map((path) => `modifiers.dates.0.when.${path} invalid`)
    )
  })
})

it("the table of steps names every step once, in the order of the engine", () => {
  assert.deepStrictEqual(
    fareSteps.map(({ step }) => step),
    [...FareStep.literals]
  )
})

it("a tariff is the same after it was stored as JSON", () => {
  const read = tariff({
    zones: [{ id: "a", name: "A", kind: "postal", prefixes: ["1"] }],
    modifiers: { night: [night], tax: { included: true, rates: [{ percent: 8.1 }] } }
  })
  const stored = tariff(JSON.parse(JSON.stringify(read)) as object)
  assert.deepStrictEqual(stored, read)
  assert.isTrue(Result.isSuccess(compileTariff(stored, 1)))
})
