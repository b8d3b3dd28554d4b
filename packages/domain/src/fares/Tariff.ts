/**
 * A tariff: what a business charges, as data that it owns. Amounts are in major units of the tariff's currency,
 * distances in its unit.
 *
 * Decoding judges the shape of it. What refers to something (a zone, the decimals of the currency) is judged when the
 * tariff is compiled, see `compileTariff`.
 */
import { Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { Currency } from "../kernel/money/Currency.ts"
import { text } from "../kernel/fields/Text.ts"
import { Modifiers } from "./Modifiers.ts"
import { ClassRates } from "./Rates.ts"
import { DistanceUnit, listOf, recordOrNull, unlessSent } from "./TariffFields.ts"
import { Zone } from "./Zone.ts"

/** How many zones a tariff may have. */
export const mostZones = 500

/** A tariff. What was not sent is null, an empty list or its usual value once decoded. */
export const Tariff = Schema.Struct({
  name: text(200),
  currency: Currency,
  distance_unit: unlessSent(oneOf(DistanceUnit), "km"),
  zones: listOf(Zone, mostZones),
  classes: listOf(ClassRates, 7),
  modifiers: recordOrNull(Modifiers)
})
export type Tariff = typeof Tariff.Type
