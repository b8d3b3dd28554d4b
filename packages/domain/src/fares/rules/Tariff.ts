/**
 * A tariff: the prices of a business, as data. Amounts are in major units of the tariff's currency, distances in its
 * unit.
 *
 * Decoding checks the shape only. References (to a zone, to the decimals of the currency) are checked when the tariff
 * is compiled, see `compileTariff`.
 */
import { Schema } from "effect"
import { listOf as requiredListOf } from "../../kernel/fields/List.ts"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { Currency } from "../../kernel/money/Currency.ts"
import { text } from "../../kernel/fields/Text.ts"
import { Modifiers } from "./Modifiers.ts"
import { ClassRates } from "./Rates.ts"
import { DistanceUnit, listOf, recordOrNull, orDefault } from "./TariffFields.ts"
import { Zone } from "./Zone.ts"

/** The most zones of a tariff. */
export const maxZones = 500

/** The most vehicle classes of a tariff: each class once. */
export const maxClasses = 7

const tariff = Schema.Struct({
  name: text(200),
  currency: Currency,
  distance_unit: orDefault(oneOf(DistanceUnit), "km"),
  zones: listOf(Zone, maxZones),
  classes: requiredListOf(ClassRates, { least: 1, most: maxClasses }),
  modifiers: recordOrNull(Modifiers)
})
type Inferred = typeof tariff
/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface TariffSchema extends Inferred {}

/** A tariff. After decoding, an absent field is null, an empty list or its default value. */
export const Tariff: TariffSchema = tariff
export type Tariff = typeof Tariff.Type
