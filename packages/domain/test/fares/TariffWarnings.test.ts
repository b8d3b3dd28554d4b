import { assert, describe, it } from "@effect/vitest"
import { tariffWarnings } from "@livery/domain"
import { compiled, sedan, totalOf } from "./Tariffs.ts"

const warnings = (rates: object, modifiers: object = {}) =>
  tariffWarnings(sedan(modifiers, rates)).map(({ rule, warning }) => `${rule} ${warning}`)

describe("the warnings about a tariff", () => {
  it("name a tier of a whole distance at a lower rate, which is cheaper just beyond the end of a tier", () => {
    const whole = {
      mode: "whole",
      tiers: [
        { up_to: 100, amount: 1.8 },
        { up_to: 1000, amount: 1.4 }
      ]
    }
    assert.deepStrictEqual(warnings({ distance: [whole] }), ["distance:sedan longer_can_be_cheaper"])
    const price = sedan({}, { distance: [whole] })
    assert.isBelow(totalOf(price, { distance_m: 100_001 }), totalOf(price, { distance_m: 100_000 }))
    assert.deepStrictEqual(warnings({ distance: [{ ...whole, mode: "graduated" }] }), [])
    const rising = { mode: "whole", tiers: [{ up_to: 100, amount: 1.4 }, { amount: 1.8 }] }
    assert.deepStrictEqual(warnings({ distance: [rising] }), [])
  })

  it("name a price that begins where another one ends, if it is cheaper there or includes other steps", () => {
    const near = { id: "near", base: 10, tiers: [{ up_to: 50, amount: 2 }] }
    assert.deepStrictEqual(warnings({ distance: [near, { id: "far", tiers: [{ amount: 1.5 }] }] }), [
      "far longer_can_be_cheaper"
    ])
    assert.deepStrictEqual(
      warnings({ distance: [near, { id: "far", base: 40, tiers: [{ amount: 1.5 }] }] }),
      []
    )
    assert.deepStrictEqual(
      warnings({ distance: [near, { id: "far", base: 40, tiers: [{ amount: 1.5 }], includes: ["night"] }] }),
      ["far includes_differ"]
    )
    // A price per minute can be cheaper, however high the price of its distance is.
    const byMinute = { ...near, per_minute: 0.5 }
    assert.deepStrictEqual(warnings({ distance: [byMinute, { id: "far", base: 999 }] }), [
      "far longer_can_be_cheaper"
    ])
    // A price after one without an end is never used.
    assert.deepStrictEqual(
      warnings({ distance: [{ tiers: [{ amount: 2 }] }, { tiers: [{ amount: 1 }] }] }),
      []
    )
  })

  it("name hours and days that include different steps, and two percentages off the same price", () => {
    const rates = { hours: [{ per_hour: 50 }], days: [{ id: "day", amount: 400, includes: ["gratuity"] }] }
    assert.deepStrictEqual(warnings(rates), ["day includes_differ"])
    const off = (percent: number) => [{ when: [{}], percent }]
    assert.deepStrictEqual(warnings({ distance: [{}] }, { night: off(-60), dates: off(-30) }), [
      "dates:1 discounts_combine"
    ])
    assert.deepStrictEqual(warnings({ distance: [{}] }, { night: off(-60), dates: off(30) }), [])
    // Such a tariff can be cheaper by a minor unit: 4 % and 5 cents, less 60 % and less 30 % of each.
    const combined = { night: off(-60), dates: off(-30) }
    const cents = (base: number) => totalOf(sedan(combined, { distance: [{ base }] }))
    assert.deepStrictEqual([cents(0.04), cents(0.05)], [1, 0])
  })

  it("are absent for a tariff without these mistakes", () => {
    assert.deepStrictEqual(tariffWarnings(compiled({})), [])
  })
})
