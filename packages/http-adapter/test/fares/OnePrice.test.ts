import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Recipe } from "../../../domain/test/fares/RandomTariffs.ts"
import { extent } from "../../../../test/faults/support/Extent.ts"
import { Ports, PortsInMemory } from "../support/TestPorts.ts"
import { openServer } from "../support/TestServer.ts"
import { makeComparePrices } from "./OnePrice.ts"
import { RandomRide } from "./RandomRides.ts"

const drawn = { recipe: Recipe, ride: RandomRide }
const title =
  "has the same price to the cent in the estimate, the quote, on the booking page, in the trip, its copies and its return leg, and on the invoice"

/** Compares all rides on one server, each in a business of its own. */
class ComparePrices extends Context.Service<ComparePrices, ReturnType<typeof makeComparePrices>>()(
  "test/ComparePrices"
) {
  static readonly layer = Layer.effect(ComparePrices, Effect.map(openServer(), makeComparePrices))
}

layer(Layer.provideMerge(ComparePrices.layer, PortsInMemory), { timeout: 600_000 })(
  "a random ride by a random tariff",
  (it) => {
    let compared = 0
    it.effect.prop(
      title,
      drawn,
      ({ recipe, ride }) =>
        Effect.gen(function* () {
          const comparePrices = yield* ComparePrices
          compared += yield* comparePrices(recipe, ride)
        }),
      { arbitrary: { runs: extent(2000, 200) }, timeout: extent(600_000, 120_000) }
    )

    it("often has a price to compare", () => {
      assert.isAbove(compared, 500)
    })
  }
)

layer(Layer.provideMerge(ComparePrices.layer, Ports), { timeout: 120_000 })(
  "a random ride by a random tariff on PostgreSQL",
  (it) => {
    it.effect.prop(
      title,
      drawn,
      ({ recipe, ride }) =>
        Effect.gen(function* () {
          const comparePrices = yield* ComparePrices
          yield* comparePrices(recipe, ride)
        }),
      { arbitrary: { runs: extent(40, 8) }, timeout: 120_000 }
    )
  }
)
