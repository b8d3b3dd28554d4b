import { assert, it } from "@effect/vitest"
import {
  estimateFares,
  fareEngineVersion,
  type FareEstimateRecord,
  fareEstimateRecord,
  replayFares
} from "@livery/domain"
import { Result } from "effect"
import { compiled, sedan, trip } from "./Tariffs.ts"

const tariff = sedan(
  { dates: [{ when: [{}], percent: 12.5 }] },
  { distance: [{ base: 3.5, tiers: [{ amount: 1.9 }] }] }
)
const stored = fareEstimateRecord(estimateFares(tariff, trip()))
const part = (record: FareEstimateRecord, of = tariff) =>
  Result.match(replayFares(of, record), { onSuccess: () => "replayed", onFailure: (refused) => refused.part })

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

it("a fare is computed again by the versions that computed it, and refused by others", () => {
  assert.strictEqual(part(stored), "replayed")
  assert.strictEqual(part({ ...stored, engine_version: fareEngineVersion + 1 }), "engine_version")
  assert.strictEqual(part({ ...stored, tariff_version: 2 }), "tariff_version")
  assert.strictEqual(part(stored, compiled({ currency: "CHF" })), "currency")
  const refused = replayFares(tariff, { ...stored, tariff_version: 2 })
  assert.strictEqual(
    Result.match(refused, { onSuccess: () => "", onFailure: ({ message }) => message }),
    "The fare has tariff_version 2, and it would be computed with 1"
  )
})
