import { assert, describe, it } from "@effect/vitest"
import { estimateFares } from "@livery/domain"
import { compiled, fareOf, linesOf, sedan, totalOf, trip } from "./Tariffs.ts"

const night = { from: "22:00", to: "06:00" }

const at = (pickup_local: string) => ({ pickup_local })

it("of the rules of a step that match, one with a condition applies before one without, otherwise the first one", () => {
  const general = { id: "general", amount: 1 }
  const fees = sedan({
    meet_and_greet: [
      general,
      { id: "also-general", amount: 2 },
      { id: "night", amount: 3, when: [night] },
      { id: "transfer", amount: 4, trip_types: ["transfer"] },
      { id: "sedan", amount: 5, classes: ["sedan"] }
    ]
  })
  const charged = (trip_type: "transfer" | "other", pickup_local: string) =>
    linesOf(fees, { meet_and_greet: true, trip_type, pickup_local })[1]
  assert.strictEqual(charged("transfer", "2026-06-17 23:00:00"), "meet_and_greet night 300")
  assert.strictEqual(charged("transfer", "2026-06-17 12:00:00"), "meet_and_greet transfer 400")
  assert.strictEqual(charged("other", "2026-06-17 12:00:00"), "meet_and_greet sedan 500")
  const unconditional = sedan({ meet_and_greet: [general, { amount: 2 }] })
  assert.strictEqual(linesOf(unconditional, { meet_and_greet: true })[1], "meet_and_greet general 100")
})

describe("when a rule applies", () => {
  const surcharge = (...when: ReadonlyArray<object>) => sedan({ dates: [{ when, amount: 1 }] })

  const applies = (when: object, pickup_local: string) =>
    totalOf(surcharge(when), at(pickup_local)) === 10_100

  it("a window applies from its first minute up to its last one, through midnight if it ends before it starts", () => {
    assert.isTrue(applies(night, "2026-06-17 22:00:00"))
    assert.isFalse(applies(night, "2026-06-17 21:59:59"))
    assert.isTrue(applies(night, "2026-06-17 05:59:59"))
    assert.isFalse(applies(night, "2026-06-17 06:00:00"))
    assert.isTrue(applies({ from: "07:00", to: "09:30" }, "2026-06-17 09:29:00"))
    assert.isFalse(applies({ from: "07:00", to: "09:30" }, "2026-06-17 09:30:00"))
    assert.isTrue(applies({ from: "20:00" }, "2026-06-17 23:59:59"))
    assert.isFalse(applies({ from: "20:00" }, "2026-06-18 00:00:00"))
    assert.isTrue(applies({ to: "05:00" }, "2026-06-18 00:00:00"))
  })

  it("a weekday lasts from midnight to midnight; a window through midnight belongs to the day on which it begins", () => {
    assert.isTrue(applies({ weekdays: ["wed"] }, "2026-06-17 00:00:00"))
    assert.isFalse(applies({ weekdays: ["wed"] }, "2026-06-18 00:00:00"))
    const fridayNight = { ...night, weekdays: ["fri"] }
    assert.isTrue(applies(fridayNight, "2026-06-19 23:00:00"))
    assert.isTrue(applies(fridayNight, "2026-06-20 05:00:00"))
    assert.isFalse(applies(fridayNight, "2026-06-19 05:00:00"))
  })

  it("a date is one day or every year's, a range may span the new year", () => {
    assert.isTrue(applies({ dates: [{ from: "2026-12-25" }] }, "2026-12-25 12:00:00"))
    assert.isFalse(applies({ dates: [{ from: "2026-12-25" }] }, "2027-12-25 12:00:00"))
    assert.isTrue(applies({ dates: [{ from: "12-25" }] }, "2027-12-25 12:00:00"))
    const holidays = { dates: [{ from: "12-20", to: "01-05" }] }
    for (const day of ["2026-12-20", "2026-12-31", "2027-01-05"])
      assert.isTrue(applies(holidays, `${day} 12:00:00`), day)
    for (const day of ["2026-12-19", "2027-01-06"]) assert.isFalse(applies(holidays, `${day} 12:00:00`), day)
    const season = { dates: [{ from: "2026-06-01", to: "2026-08-31" }] }
    assert.isTrue(applies(season, "2026-08-31 23:59:59"))
    assert.isFalse(applies(season, "2027-07-01 00:00:00"))
    assert.isTrue(applies({ dates: [{ from: "02-29" }] }, "2028-02-29 12:00:00"))
  })

  it("all conditions of a window must hold, and one of several windows must match", () => {
    const either = surcharge({ ...night, weekdays: ["mon"] }, { weekdays: ["sun"] })
    assert.strictEqual(totalOf(either, at("2026-06-15 23:00:00")), 10_100)
    assert.strictEqual(totalOf(either, at("2026-06-21 12:00:00")), 10_100)
    assert.strictEqual(totalOf(either, at("2026-06-16 23:00:00")), 10_000)
  })

  it("a rule with conditions takes precedence over an unconditional one of its step", () => {
    const minimum = [{ amount: 150 }, { amount: 200, classes: ["sedan"], trip_types: ["airport_arrival"] }]
    assert.strictEqual(totalOf(sedan({ minimum })), 15_000)
    assert.strictEqual(totalOf(sedan({ minimum }), { trip_type: "airport_arrival" }), 20_000)
    assert.strictEqual(
      totalOf(sedan({ minimum: [{ amount: 150 }, { amount: 200, classes: ["sedan"] }] })),
      20_000
    )
  })

  it("a rule may apply to some classes and types of trip only", () => {
    const modifiers = {
      dates: [
        { when: [{}], classes: ["van"], amount: 5 },
        { when: [{}], trip_types: ["airport_arrival"], amount: 7 }
      ]
    }
    const rates = { distance: [{ base: 10 }] }
    const both = compiled({
      classes: [
        { vehicle_class: "sedan", ...rates },
        { vehicle_class: "van", ...rates }
      ],
      modifiers
    })
    const totals = (trip_type: "transfer" | "airport_arrival") =>
      estimateFares(both, trip({ trip_type })).fares.map(({ total_minor }) => total_minor)
    assert.deepStrictEqual(totals("transfer"), [1000, 1500])
    assert.deepStrictEqual(totals("airport_arrival"), [1700, 1500])
  })
})

describe("percentages and their order", () => {
  it("night and dates are percentages of the base price, and the first applicable rule of each step is used", () => {
    const modifiers = {
      night: [
        { when: [night], percent: 20 },
        { when: [night], percent: 99 }
      ],
      dates: [{ when: [{ weekdays: ["wed"] }], percent: 10, name: "Wednesday" }]
    }
    const { lines, total_minor } = fareOf(sedan(modifiers), at("2026-06-17 23:00:00"))
    assert.strictEqual(total_minor, 13_000)
    assert.deepStrictEqual(
      lines.map(({ minor, name, of_minor, rule, step }) => [step, rule, name, of_minor, minor]),
      [
        ["base", "distance:sedan", null, null, 10_000],
        ["night", "night:1", null, 10_000, 2000],
        ["dates", "dates:1", "Wednesday", 10_000, 1000]
      ]
    )
    assert.deepStrictEqual(lines[1]?.inputs, { pickup_local: "2026-06-17 23:00:00", percent: 20 })
  })

  it("a percentage is rounded half away from zero, each line by itself", () => {
    const half = (base: number, percent: number) =>
      totalOf(sedan({ dates: [{ when: [{}], percent }] }, { distance: [{ base }] })) - Math.round(base * 100)
    assert.strictEqual(half(0.1, 5), 1)
    assert.strictEqual(half(0.1, -5), -1)
    assert.strictEqual(half(0.09, 5), 0)
    assert.strictEqual(half(129.5, 7.7), 997)
    assert.strictEqual(half(1, 12.3456), 12)
  })

  it("a discount lowers the total to zero at most", () => {
    const discounts = { night: [{ when: [{}], percent: -60 }], dates: [{ when: [{}], amount: -70 }] }
    assert.deepStrictEqual(linesOf(sedan(discounts)), [
      "base distance:sedan 10000",
      "night night:1 -6000",
      "dates dates:1 -4000"
    ])
  })

  it("gratuity is computed on all lines before it except tolls, tax on all lines that are not exempt", () => {
    const modifiers = {
      waiting: [{ amount: 1 }],
      tolls: [{ amount: 8 }],
      gratuity: [{ percent: 20 }],
      tax: {
        included: false,
        exempt: ["gratuity"],
        rates: [{ percent: 8.875, name: "Sales tax" }, { percent: 3 }]
      }
    }
    assert.deepStrictEqual(linesOf(sedan(modifiers), { waiting_minutes: 10, tolls_minor: 650 }), [
      "base distance:sedan 10000",
      "waiting waiting:1 1000",
      "tolls tolls:1 800",
      "tolls tolls:at_cost 650",
      "gratuity gratuity:1 2200",
      "tax tax:1 1105",
      "tax tax:2 374"
    ])
    assert.strictEqual(fareOf(sedan(modifiers)).tax_minor, 959 + 324)
  })

  it("the rounding is taxed, unless a step is exempt", () => {
    const rounded = (exempt: ReadonlyArray<string>) =>
      linesOf(
        sedan(
          {
            gratuity: [{ amount: 10 }],
            rounding: { to: 50, mode: "up" },
            tax: { included: false, exempt, rates: [{ percent: 10 }] }
          },
          { distance: [{ base: 120 }] }
        )
      ).at(-1)
    assert.strictEqual(rounded([]), "tax tax:1 1500")
    assert.strictEqual(rounded(["gratuity"]), "tax tax:1 1200")
  })

  it("a tax that the prices include adds no line and is reported", () => {
    const vat = sedan({ tax: { included: true, rates: [{ percent: 8.1 }] } })
    assert.deepStrictEqual(linesOf(vat), ["base distance:sedan 10000"])
    assert.strictEqual(fareOf(vat).tax_minor, 749)
    const two = sedan({ tax: { included: true, rates: [{ percent: 10 }, { percent: 15 }] } })
    assert.strictEqual(fareOf(two).tax_minor, 800 + 1200)
  })

  it("the minimum counts all lines except tolls and gratuity; rounding follows it, and tax follows rounding", () => {
    const modifiers = {
      tolls: [{ amount: 5 }],
      gratuity: [{ amount: 2.22 }],
      minimum: [{ amount: 30 }, { amount: 20 }],
      rounding: { to: 5, mode: "up" },
      tax: { included: false, rates: [{ percent: 10 }] }
    }
    assert.deepStrictEqual(linesOf(sedan(modifiers, { distance: [{ base: 21 }] })), [
      "base distance:sedan 2100",
      "tolls tolls:1 500",
      "gratuity gratuity:1 222",
      "minimum minimum:1 900",
      "rounding rounding:1 278",
      "tax tax:1 400"
    ])
    assert.strictEqual(
      totalOf(
        sedan({ minimum: [{ amount: 20 }, { amount: 30, when: [night] }] }, { distance: [{ base: 7 }] }),
        at("2026-06-17 23:00:00")
      ),
      3000
    )
  })

  it("rounding goes to the nearest multiple, halves up, or up or down", () => {
    const rounded = (base: number, mode: string) =>
      totalOf(sedan({ rounding: { to: 0.5, mode } }, { distance: [{ base }] }))
    assert.deepStrictEqual(
      [10.24, 10.25, 10.5, 10.74].map((base) => rounded(base, "nearest")),
      [1000, 1050, 1050, 1050]
    )
    assert.deepStrictEqual(
      [10.01, 10.5].map((base) => rounded(base, "up")),
      [1050, 1050]
    )
    assert.deepStrictEqual(
      [10.49, 10.5].map((base) => rounded(base, "down")),
      [1000, 1050]
    )
  })

  it("a base price that includes steps is charged without them", () => {
    const includes = ["night", "luggage", "tolls", "minimum"]
    const modifiers = {
      night: [{ when: [night], percent: 20 }],
      luggage: [{ amount: 1 }],
      tolls: [{ amount: 1 }],
      minimum: [{ amount: 500 }],
      meet_and_greet: [{ amount: 15 }]
    }
    const inputs = { ...at("2026-06-17 23:00:00"), luggage: 3, meet_and_greet: true, tolls_minor: 70 }
    assert.deepStrictEqual(linesOf(sedan(modifiers, { distance: [{ base: 63, includes }] }), inputs), [
      "base distance:sedan 6300",
      "meet_and_greet meet_and_greet:1 1500",
      "tolls tolls:at_cost 70"
    ])
  })
})
