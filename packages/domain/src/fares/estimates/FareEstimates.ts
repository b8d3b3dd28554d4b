/** The use cases that price a trip by a business's tariff (docs/api/fares.md). */
import { Context, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { InvalidInput, orNotFound } from "../../kernel/Errors.ts"
import type { TariffId } from "../../kernel/Ids.ts"
import { type BusinessId } from "../../kernel/Ids.ts"
import { Routing } from "../../routing/Routing.ts"
import { defaultRoutingSettings } from "../../routing/Route.ts"
import { type CompiledTariff, compileTariff } from "../compiled/CompiledTariff.ts"
import { fareEstimateRecord } from "../engine/Fare.ts"
import { estimateFares } from "../engine/FareEngine.ts"
import type { FareInputs } from "../engine/FareInputs.ts"
import { fareInputs } from "./RequestedInputs.ts"
import { TariffRepository, type TariffVersion } from "../tariffs/TariffRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { EstimateRequest } from "./Estimate.ts"

/** The number of compiled tariffs that are kept in memory. Versions never change, so they are never stale. */
const maxCompiledTariffs = 100

const missing = (tariffId: TariffId | null) =>
  new InvalidInput({ issues: [{ field: "tariff_id", issue: tariffId === null ? "required" : "not_found" }] })

/** Whether an estimate was refused because the business has no tariff, or not the named one. */
export const isTariffMissing = ({ issues }: InvalidInput): boolean =>
  issues.some(({ field }) => field === "tariff_id")

export class FareEstimates extends Context.Service<FareEstimates>()("@livery/domain/FareEstimates", {
  make: Effect.gen(function* () {
    const tariffs = yield* TariffRepository
    const routing = yield* Routing

    // Least recently used first.
    const compiled = new Map<string, CompiledTariff>()

    const keep = (key: string, prices: CompiledTariff) => {
      compiled.delete(key)
      compiled.set(key, prices)
      const [oldest] = compiled.keys()
      if (compiled.size > maxCompiledTariffs && oldest !== undefined) compiled.delete(oldest)
      return prices
    }

    // Each caller reads in its own transaction, so that a failure, or the end of a transaction, affects no other caller.
    const tariff = Effect.fnUntraced(function* (
      businessId: BusinessId,
      { tariff_id, version }: TariffVersion
    ) {
      const key = `${businessId}/${tariff_id}/${version}`
      const known = compiled.get(key)
      if (known !== undefined) return keep(key, known)
      const content = yield* orNotFound("tariff")(yield* tariffs.content(businessId, { tariff_id, version }))
      // A stored tariff was compiled before it was stored.
      return keep(key, yield* Effect.orDie(Effect.fromResult(compileTariff(content, version))))
    })

    return {
      /**
       * The fares of a trip in every class of a tariff, in its latest version unless one is given. `InvalidInput` if
       * the business has no such tariff, or none at all.
       */
      estimate: traced("FareEstimates.estimate")(function* (
        { business_id, timezone }: ActingBusiness,
        { tariff_id, ...request }: EstimateRequest,
        version?: TariffVersion
      ) {
        const latest = version ?? Option.getOrUndefined(yield* tariffs.latest(business_id, tariff_id))
        if (latest === undefined) return yield* missing(tariff_id)
        const prices = yield* Effect.orDie(tariff(business_id, latest))
        const settings = { timezone, routing: defaultRoutingSettings }
        const inputs = yield* Effect.provideService(fareInputs(prices, request, settings), Routing, routing)
        return { tariff_id: latest.tariff_id, ...fareEstimateRecord(estimateFares(prices, inputs)) }
      }),

      /** A compiled version of a tariff, also of a deleted one. */
      tariff,

      /** The fares of inputs by a stored version of a tariff. */
      computeAgain: (businessId: BusinessId, version: TariffVersion, inputs: FareInputs) =>
        Effect.map(tariff(businessId, version), (prices) => fareEstimateRecord(estimateFares(prices, inputs)))
    }
  })
}) {
  static readonly layer = Layer.effect(FareEstimates, FareEstimates.make)
}
