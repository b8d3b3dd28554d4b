/** An estimate of fares, and the body of a request for one. */
import { Schema } from "effect"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { TariffId } from "../../kernel/Ids.ts"
import { FareEstimateRecord } from "../engine/Fare.ts"
import { FareRequest } from "./FareRequest.ts"

/** A trip to be priced. Without `tariff_id`, the business's tariff with the smallest id applies. */
export const EstimateRequest = Schema.Struct({ tariff_id: orNull(TariffId), ...FareRequest.fields })
export type EstimateRequest = typeof EstimateRequest.Type

/**
 * The fares of a trip in all classes of a tariff. With the tariff's version and the inputs, the fares can be computed
 * again to the minor unit.
 */
export const EstimateRecord = Schema.Struct({
  tariff_id: Value.id(TariffId).wire,
  ...FareEstimateRecord.fields
})
export type EstimateRecord = typeof EstimateRecord.Type
