import { assert, it } from "@effect/vitest"
import { estimateFares, type FareStep } from "@livery/domain"
import { decodedTariff, RandomTrip, randomInputs, randomTariff, Recipe } from "./RandomTariffs.ts"
import { referenceFare } from "./ReferenceFares.ts"

it.prop(
  "a fare is that of the documented rules to the minor unit, step by step, with its tax or the reason without one",
  { recipe: Recipe, trip: RandomTrip },
  ({ recipe, trip }) => {
    const compiled = randomTariff(recipe)
    if (compiled === null) return
    const tariff = decodedTariff(recipe)
    const { modifiers } = tariff
    if (modifiers === null) throw new Error("the recipe has modifiers")
    const inputs = randomInputs(trip)
    const { fares, unavailable } = estimateFares(compiled, inputs)
    for (const { vehicle_class } of tariff.classes) {
      const expected = referenceFare({ ...tariff, modifiers }, vehicle_class, inputs)
      const fare = fares.find((of) => of.vehicle_class === vehicle_class)
      if (fare === undefined) {
        const refused = unavailable.find((of) => of.vehicle_class === vehicle_class)
        assert.deepStrictEqual(expected, { reason: refused?.reason ?? "none" })
        continue
      }
      const steps = new Map<FareStep, bigint>()
      for (const { minor, step } of fare.lines) steps.set(step, (steps.get(step) ?? 0n) + BigInt(minor))
      const actual = {
        steps: new Map([...steps].filter(([, amount]) => amount !== 0n)),
        total: BigInt(fare.total_minor),
        tax: BigInt(fare.tax_minor)
      }
      assert.deepStrictEqual(actual, expected)
    }
  },
  { arbitrary: { runs: 300 } }
)
