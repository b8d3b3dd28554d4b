/** How a price list is taken over into a tariff (docs/api/fares.md). */
import { Schema } from "effect"
import { omittable, orNull, yesOrNo } from "../../kernel/fields/Optional.ts"
import { text } from "../../kernel/fields/Text.ts"
import * as Value from "../../kernel/fields/Value.ts"

/** The most characters of a price list. */
export const maxPriceListLength = 1_000_000

/**
 * How a price list is taken over. `from` is the zone at the other end of each price of a list with a column `zone`. `replace`
 * removes the prices of the list's classes that the list lacks, but for those with conditions. `valid_from` is that of the version.
 */
export const PriceListTerms = Schema.Struct({
  from: orNull(text(100)),
  replace: yesOrNo(false),
  valid_from: omittable(Value.instant.required)
})
export type PriceListTerms = typeof PriceListTerms.Type
