/** An estimate of fares, and the body of a request for one. */
import { Schema } from "effect"
import { orNull } from "../../kernel/fields/Optional.ts"
import * as Value from "../../kernel/fields/Value.ts"
import { CustomerId, TariffId } from "../../kernel/Ids.ts"
import { FareEstimateRecord } from "../engine/Fare.ts"
import { FareRequest } from "./FareRequest.ts"

const estimateRequestStruct = Schema.Struct({
  tariff_id: orNull(TariffId),
  customer_id: orNull(CustomerId),
  ...FareRequest.fields
})
type EstimateRequestStruct = typeof estimateRequestStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface EstimateRequestSchema extends EstimateRequestStruct {}

/**
 * A trip to be priced. Without `tariff_id`, the tariff of the customer applies, and without one the business's tariff with the
 * smallest id. The version is the one that holds at the time of the pickup.
 */
export const EstimateRequest: EstimateRequestSchema = estimateRequestStruct
export type EstimateRequest = typeof EstimateRequest.Type

const estimateRecordStruct = Schema.Struct({
  tariff_id: Value.id(TariffId).wire,
  ...FareEstimateRecord.fields
})
type EstimateRecordStruct = typeof estimateRecordStruct

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface EstimateRecordSchema extends EstimateRecordStruct {}

/**
 * The fares of a trip in all classes of a tariff. With the tariff's version and the inputs, the fares can be computed
 * again to the minor unit.
 */
export const EstimateRecord: EstimateRecordSchema = estimateRecordStruct
export type EstimateRecord = typeof EstimateRecord.Type
