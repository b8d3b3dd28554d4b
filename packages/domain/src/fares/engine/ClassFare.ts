/** The fare that an estimate has in one class, for a record that is priced in it. */
import { Effect, Result } from "effect"
import { InvalidInput } from "../../kernel/Errors.ts"
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { FareEstimateRecord, FareRecord, NoFareReason } from "./Fare.ts"

/** Why a trip has no fare in a class; `no_class`: the tariff does not have the class. */
export type NoFareCause = NoFareReason | "no_class"

/** The fare of an estimate in a class, or why there is none. */
export const fareOfClass = (
  { fares, unavailable }: FareEstimateRecord,
  vehicleClass: VehicleClass
): Result.Result<FareRecord, NoFareCause> => {
  const isOfClass = ({ vehicle_class }: { readonly vehicle_class: VehicleClass }) =>
    vehicle_class === vehicleClass
  const fare = fares.find(isOfClass)
  return fare === undefined
    ? Result.fail(unavailable.find(isOfClass)?.reason ?? "no_class")
    : Result.succeed(fare)
}

/** `InvalidInput` if a tariff has another currency than the record. `alternative` is what the caller can do instead. */
export const requireCurrency = (
  tariff: { readonly currency: string },
  {
    alternative,
    currency,
    name
  }: {
    readonly name: "trip" | "quote"
    readonly currency: string
    readonly alternative: string
  }
): Effect.Effect<void, InvalidInput> =>
  tariff.currency === currency
    ? Effect.void
    : Effect.fail(
        new InvalidInput({
          issues: [{ field: "tariff_id", issue: "invalid" }],
          advice: `The tariff is in ${tariff.currency}, the ${name} in ${currency}. Choose a tariff in ${currency}, or ${alternative}`
        })
      )
