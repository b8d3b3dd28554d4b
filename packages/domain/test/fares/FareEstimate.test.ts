import { assert, it } from "@effect/vitest"
import { estimateFares, fareEngineVersion, fareEstimateRecord } from "@livery/domain"
import { sedan, trip } from "./Tariffs.ts"

const tariff = sedan(
  { dates: [{ when: [{}], percent: 12.5 }] },
  { distance: [{ base: 3.5, tiers: [{ amount: 1.9 }] }] }
)
const stored = fareEstimateRecord(estimateFares(tariff, trip()))

it("a record is in major units of its currency, with the versions of the tariff and the engine", () => {
  assert.deepInclude(stored, {
    engine_version: fareEngineVersion,
    tariff_version: 1,
    currency: "EUR",
    unavailable: []
  })
  assert.deepStrictEqual(stored.fares, [
    {
      vehicle_class: "sedan",
      lines: [
        { step: "base", rule: "distance:sedan", name: null, inputs: {}, of_amount: null, amount: 3.5 },
        {
          step: "base",
          rule: "distance:sedan",
          name: null,
          inputs: { distance_m: 10_000 },
          of_amount: null,
          amount: 19
        },
        {
          step: "dates",
          rule: "dates:1",
          name: null,
          inputs: { pickup_local: "2026-06-17 12:00:00", percent: 12.5 },
          of_amount: 22.5,
          amount: 2.81
        }
      ],
      total_amount: 25.31,
      tax_amount: 0
    }
  ])
})
