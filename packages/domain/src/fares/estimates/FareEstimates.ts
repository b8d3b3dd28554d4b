/** The use cases that price a trip by a business's tariff (docs/api/fares.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { invalidField, InvalidInput, orNotFound } from "../../kernel/Errors.ts"
import type { TariffId } from "../../kernel/Ids.ts"
import { type BusinessId } from "../../kernel/Ids.ts"
import { Routing } from "../../routing/Routing.ts"
import { defaultRoutingSettings } from "../../routing/Route.ts"
import { type CompiledTariff, compileTariff } from "../compiled/CompiledTariff.ts"
import { fareEstimateRecord } from "../engine/Fare.ts"
import { estimateFares } from "../engine/FareEngine.ts"
import type { FareInputs } from "../engine/FareInputs.ts"
import { fareInputs } from "./RequestedInputs.ts"
import { type HoldingVersion, TariffRepository, type TariffVersion } from "../tariffs/TariffRepository.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { EstimateRequest } from "./Estimate.ts"

/** The version that holds at an instant; for other instants, the versions of its tariff after `latest` are left out. */
export interface PinnedTariff extends HoldingVersion {
  readonly at: DateTime.Utc
}

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

    /**
     * The version that prices a trip: of the tariff that the request names, else of the customer's, else of the tariff with the
     * smallest id; in the version that holds at the time of the pickup. `InvalidInput` if the business has none, or no such
     * customer.
     */
    const holding = Effect.fnUntraced(function* (
      { business_id, timezone }: ActingBusiness,
      { customer_id, tariff_id, trip_date }: EstimateRequest,
      pinned: PinnedTariff | undefined
    ) {
      const at = instantOf(trip_date, timezone)
      if (pinned !== undefined && DateTime.Equivalence(pinned.at, at)) return pinned
      const find = (id: TariffId | null) => tariffs.holding(business_id, id, at, pinned?.latest)
      const named = pinned?.tariff_id ?? tariff_id
      if (named === null && customer_id !== null) {
        const own = yield* tariffs.ofCustomer(business_id, customer_id)
        if (Option.isNone(own)) return yield* invalidField("customer_id", "not_found")
        const found = own.value === null ? Option.none() : yield* find(own.value)
        if (Option.isSome(found)) return found.value
      }
      const found = Option.getOrUndefined(yield* find(named))
      return found ?? (yield* missing(named))
    })

    return {
      /**
       * The tariff that prices a trip, for further estimates: they use no version that was stored later. Fails as `estimate`.
       */
      pinned: (acting: ActingBusiness, request: EstimateRequest) =>
        Effect.map(holding(acting, request, undefined), (held): PinnedTariff => ({
          ...held,
          at: instantOf(request.trip_date, acting.timezone)
        })),

      /**
       * The fares of a trip in every class of a tariff. `pinned` is the tariff instead of the one that the request names.
       * `InvalidInput` if the business has no such tariff, none at all, or none that holds at the time of the pickup.
       */
      estimate: traced("FareEstimates.estimate")(function* (
        acting: ActingBusiness,
        request: EstimateRequest,
        pinned?: PinnedTariff
      ) {
        const { business_id, timezone } = acting
        const held = yield* holding(acting, request, pinned)
        const prices = yield* Effect.orDie(tariff(business_id, held))
        const settings = { timezone, routing: defaultRoutingSettings }
        const inputs = yield* Effect.provideService(fareInputs(prices, request, settings), Routing, routing)
        return { tariff_id: held.tariff_id, ...fareEstimateRecord(estimateFares(prices, inputs)) }
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
