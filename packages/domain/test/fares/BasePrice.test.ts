import { assert, describe, it } from "@effect/vitest"
import { compiled, fareOf, linesOf, place, reasonOf, sedan, totalOf } from "./Tariffs.ts"

const postal = (...prefixes: ReadonlyArray<string>) =>
  prefixes.map((prefix) => ({ id: `z${prefix}`, name: prefix, kind: "postal", prefixes: [prefix] }))
const from = (pickup: string, dropoff: string) => ({
  pickup: place({ postal_code: pickup }),
  dropoff: place({ postal_code: dropoff })
})
const fixed = (...prices: ReadonlyArray<object>) =>
  compiled({ zones: postal("1", "12", "2", "22"), classes: [{ vehicle_class: "sedan", fixed: prices }] })

describe("a fixed price between zones", () => {
  it("applies in both directions, or in one direction only", () => {
    const either = fixed({ from: "z1", to: "z2", amount: 50 })
    assert.strictEqual(totalOf(either, from("1", "2")), 5000)
    assert.strictEqual(totalOf(either, from("2", "1")), 5000)
    const oneWay = fixed({ from: "z1", to: "z2", amount: 50, direction: "one_way" })
    assert.strictEqual(totalOf(oneWay, from("1", "2")), 5000)
    assert.strictEqual(reasonOf(oneWay, from("2", "1")), "no_price")
    assert.strictEqual(totalOf(fixed({ from: "z1", to: "z1", amount: 9 }), from("1", "12")), 900)
  })

  it("of the most specific pair of zones applies, in both directions; of two equally specific pairs, the first", () => {
    const prices = fixed(
      { from: "z1", to: "z2", amount: 50 },
      { from: "z12", to: "z2", amount: 60 },
      { from: "z1", to: "z22", amount: 70 },
      { from: "z12", to: "z22", amount: 80 }
    )
    assert.strictEqual(totalOf(prices, from("10", "20")), 5000)
    assert.strictEqual(totalOf(prices, from("12", "20")), 6000)
    assert.strictEqual(totalOf(prices, from("20", "12")), 6000)
    assert.strictEqual(totalOf(prices, from("12", "22")), 8000)
    const tied = fixed({ from: "z12", to: "z2", amount: 60 }, { from: "z1", to: "z22", amount: 70 })
    assert.strictEqual(totalOf(tied, from("12", "22")), 6000)
    assert.strictEqual(totalOf(tied, from("22", "12")), 6000)
  })

  it("with conditions takes precedence over an unconditional one of the same pair", () => {
    const prices = fixed(
      { from: "z1", to: "z2", amount: 85 },
      { from: "z1", to: "z2", amount: 95, when: [{ weekdays: ["sun"] }] }
    )
    assert.strictEqual(totalOf(prices, { ...from("1", "2"), pickup_local: "2026-06-20 23:59:59" }), 8500)
    assert.strictEqual(totalOf(prices, { ...from("1", "2"), pickup_local: "2026-06-21 00:00:00" }), 9500)
  })

  it("takes precedence over a price by distance, which applies between other zones", () => {
    const both = compiled({
      zones: postal("1", "2"),
      classes: [
        {
          vehicle_class: "sedan",
          fixed: [{ from: "z1", to: "z2", amount: 50 }],
          distance: [{ tiers: [{ amount: 2 }] }]
        }
      ]
    })
    assert.deepStrictEqual(linesOf(both, from("1", "2")), ["base fixed:sedan:z1-z2 5000"])
    assert.deepStrictEqual(linesOf(both, from("1", "3")), ["base distance:sedan 2000"])
    assert.deepStrictEqual(linesOf(both, { distance_m: null, ...from("1", "2") }), [
      "base fixed:sedan:z1-z2 5000"
    ])
  })

  it("names its two zones", () => {
    const [line] = fareOf(fixed({ from: "z1", to: "z2", amount: 50, name: "City" }), from("12", "2")).lines
    assert.deepInclude(line, { inputs: { from: "z1", to: "z2" }, name: "City", of_minor: null })
  })

  it("of a round trip is charged for each direction separately", () => {
    const prices = fixed(
      { from: "z1", to: "z2", amount: 36, direction: "one_way" },
      { from: "z2", to: "z1", amount: 32, direction: "one_way" }
    )
    assert.deepStrictEqual(linesOf(prices, { ...from("1", "2"), trip_type: "round_trip" }), [
      "base fixed:sedan:z1>z2 3600",
      "base fixed:sedan:z2>z1 3200"
    ])
    const there = fixed({ from: "z1", to: "z2", amount: 36, direction: "one_way" })
    assert.strictEqual(reasonOf(there, { ...from("1", "2"), trip_type: "round_trip" }), "no_price")
  })
})

describe("a price by distance", () => {
  const distance = (price: object, more: object = {}) => sedan({}, { distance: [price] }, more)
  const graduated = {
    base: 3.5,
    tiers: [{ up_to: 5, amount: 1.9 }, { up_to: 10, amount: 1.7 }, { amount: 1.6 }]
  }

  it("has a line for its base and a line for each tier", () => {
    assert.deepStrictEqual(linesOf(distance(graduated), { distance_m: 12_500 }), [
      "base distance:sedan 350",
      "base distance:sedan 950",
      "base distance:sedan 850",
      "base distance:sedan 400"
    ])
    assert.strictEqual(totalOf(distance(graduated), { distance_m: 5000 }), 1300)
    assert.strictEqual(totalOf(distance(graduated), { distance_m: 0 }), 350)
    const { lines } = fareOf(distance(graduated), { distance_m: 7500 })
    assert.deepStrictEqual(
      lines.map(({ inputs }) => inputs),
      [{}, { distance_m: 5000 }, { distance_m: 2500 }]
    )
  })

  it("is rounded once, for any number of tiers", () => {
    const thirds = distance({
      tiers: [
        { up_to: 1, amount: 0.01, per: 3 },
        { up_to: 2, amount: 0.01, per: 3 },
        { amount: 0.01, per: 3 }
      ]
    })
    assert.strictEqual(totalOf(thirds, { distance_m: 3000 }), 1)
  })

  it("charges the whole distance at the rate of its last tier if the tariff says so", () => {
    const whole = distance({
      mode: "whole",
      tiers: [
        { up_to: 100, amount: 1.8 },
        { up_to: 1000, amount: 1.4 }
      ]
    })
    assert.strictEqual(totalOf(whole, { distance_m: 100_000 }), 18_000)
    assert.strictEqual(totalOf(whole, { distance_m: 150_000 }), 21_000)
    assert.strictEqual(reasonOf(whole, { distance_m: 1_000_001 }), "no_price")
  })

  it("charges started periods as whole ones if the tariff says so", () => {
    const meter = distance(
      {
        base: 780,
        started: true,
        tiers: [
          { up_to: 1.03, amount: 0 },
          { amount: 100, per: 0.161 }
        ]
      },
      { currency: "JPY" }
    )
    assert.strictEqual(totalOf(meter, { distance_m: 1030 }), 780)
    assert.strictEqual(totalOf(meter, { distance_m: 1031 }), 880)
    assert.strictEqual(totalOf(meter, { distance_m: 1191 }), 880)
    assert.strictEqual(totalOf(meter, { distance_m: 1192 }), 980)
  })

  it("is in miles of 1,609.344 metres if the unit of the tariff is the mile", () => {
    const miles = distance(
      { tiers: [{ up_to: 10, amount: 3 }, { amount: 2 }] },
      { distance_unit: "mi", currency: "USD" }
    )
    assert.strictEqual(totalOf(miles, { distance_m: 16_093 }), 3000)
    assert.strictEqual(totalOf(miles, { distance_m: 160_934 }), 3000 + 18_000)
  })

  it("adds a price per minute, and needs the duration and the distance", () => {
    const minutes = distance({ tiers: [{ amount: 1 }], per_minute: 0.5 })
    assert.deepStrictEqual(linesOf(minutes), ["base distance:sedan 1000", "base distance:sedan 1000"])
    assert.strictEqual(reasonOf(minutes, { duration_minutes: null }), "duration_unknown")
    assert.strictEqual(reasonOf(minutes, { distance_m: null }), "distance_unknown")
  })

  it("is the first one that covers the distance of the trip", () => {
    const near = { id: "near", tiers: [{ up_to: 20, amount: 2 }] }
    const far = sedan({}, { distance: [near, { id: "far", tiers: [{ amount: 1.5 }] }] })
    assert.deepStrictEqual(linesOf(far, { distance_m: 20_000 }), ["base near 4000"])
    assert.deepStrictEqual(linesOf(far, { distance_m: 30_000 }), ["base far 4500"])
  })

  it("of a round trip is charged for both directions", () => {
    assert.strictEqual(totalOf(distance(graduated), { trip_type: "round_trip", distance_m: 5000 }), 2600)
  })
})

describe("a price by time", () => {
  const timed = (rates: object, more: object = {}) => sedan({}, rates, more)
  const booked = (minutes: number, km: number | null = null) => ({
    trip_type: "hourly" as const,
    duration_minutes: minutes,
    distance_m: km === null ? null : km * 1000
  })

  it("charges hourly trips and events by started hours, with a minimum", () => {
    const hours = timed({ hours: [{ per_hour: 55, minimum_minutes: 240 }], distance: [{ base: 1 }] })
    assert.strictEqual(totalOf(hours, booked(60)), 22_000)
    assert.strictEqual(totalOf(hours, booked(240)), 22_000)
    assert.strictEqual(totalOf(hours, booked(241)), 27_500)
    assert.strictEqual(totalOf(hours, { ...booked(300), trip_type: "event" }), 27_500)
    assert.strictEqual(totalOf(hours, { ...booked(300), trip_type: "transfer", distance_m: 0 }), 100)
    assert.strictEqual(reasonOf(hours, { trip_type: "hourly", duration_minutes: null }), "duration_unknown")
    const quarters = timed({ hours: [{ per_hour: 50, increment_minutes: 15 }] })
    assert.strictEqual(totalOf(quarters, booked(61)), 6250)
  })

  it("is the cheapest package for the booking, plus the increments beyond the package", () => {
    const packages = timed(
      {
        hours: [
          {
            per_hour: 5200,
            increment_minutes: 30,
            packages: [
              { minutes: 180, amount: 18_200 },
              { minutes: 240, amount: 23_400 },
              { minutes: 480, amount: 40_000 }
            ]
          }
        ]
      },
      { currency: "JPY" }
    )
    assert.strictEqual(totalOf(packages, booked(60)), 18_200)
    assert.strictEqual(totalOf(packages, booked(181)), 20_800)
    assert.strictEqual(totalOf(packages, booked(240)), 23_400)
    assert.strictEqual(totalOf(packages, booked(450)), 40_000)
    assert.strictEqual(totalOf(packages, booked(510)), 42_600)
    const only = timed({ hours: [{ packages: [{ minutes: 180, amount: 100 }] }] })
    assert.strictEqual(reasonOf(only, booked(181)), "no_price")
  })

  it("charges distance beyond that included in the package and the further hours", () => {
    const local = timed({
      hours: [
        {
          per_hour: 60,
          distance_per_hour: 10,
          extra_distance: 2.5,
          packages: [
            { minutes: 240, amount: 200, distance: 40 },
            { minutes: 480, amount: 290, distance: 80 }
          ]
        }
      ]
    })
    assert.strictEqual(totalOf(local, booked(240, 40)), 20_000)
    assert.strictEqual(totalOf(local, booked(240)), 20_000)
    assert.strictEqual(totalOf(local, booked(300, 52)), 20_000 + 6000 + 500)
    // 30 km more cost 75, less than the longer package; 40 km more cost 100, and the longer package 90.
    assert.deepStrictEqual(linesOf(local, booked(240, 70)), [
      "base hours:sedan 20000",
      "base hours:sedan 7500"
    ])
    assert.deepStrictEqual(linesOf(local, booked(240, 80)), ["base hours:sedan 29000"])
  })

  it("is by the day if that is cheaper than by the hour", () => {
    const rates = timed({
      hours: [{ per_hour: 80 }],
      days: [{ amount: 600, hours: 10, distance: 200, extra_hour: 70, extra_distance: 2 }]
    })
    assert.deepStrictEqual(linesOf(rates, booked(7 * 60)), ["base hours:sedan 56000"])
    assert.deepStrictEqual(linesOf(rates, booked(8 * 60)), ["base days:sedan 60000"])
    assert.deepStrictEqual(linesOf(rates, booked(11 * 60 + 1)), [
      "base days:sedan 60000",
      "base days:sedan 14000"
    ])
    assert.deepStrictEqual(linesOf(rates, booked(10 * 60, 210)), [
      "base days:sedan 60000",
      "base days:sedan 2000"
    ])
    const days = timed({ days: [{ amount: 600, hours: 10, extra_hour: 70 }] })
    assert.strictEqual(totalOf(days, booked(24 * 60)), 60_000 + 14 * 7000)
    assert.strictEqual(totalOf(days, booked(24 * 60 + 1)), 60_000 + 14 * 7000 + 60_000)
    assert.strictEqual(totalOf(timed({ days: [{ amount: 600 }] }), booked(72 * 60)), 180_000)
  })
})

describe("a class", () => {
  it("has no fare for more passengers or luggage than it takes", () => {
    const small = sedan({}, { max_passengers: 3, max_luggage: 2, distance: [{ base: 10 }] })
    assert.strictEqual(totalOf(small, { passengers: 3, luggage: 2 }), 1000)
    assert.strictEqual(reasonOf(small, { passengers: 4 }), "too_many_passengers")
    assert.strictEqual(reasonOf(small, { luggage: 3 }), "too_much_luggage")
  })

  it("has lines that are exact whole numbers, even with very large rates", () => {
    const off = [{ when: [{}], percent: -100 }]
    const dear = sedan({ night: off }, { distance: [{ tiers: [{ amount: 9_999_999.99, per: 0.001 }] }] })
    assert.deepStrictEqual(linesOf(dear, { distance_m: 9_999_999 }), [
      "base distance:sedan 10000000000000",
      "night night:1 -10000000000000"
    ])
  })

  it("has no fare above the largest amount", () => {
    const dear = sedan({}, { distance: [{ tiers: [{ amount: 1_000_000, per: 0.001 }] }] })
    assert.strictEqual(reasonOf(dear, { distance_m: 1_000_000 }), "amount_too_large")
  })
})
