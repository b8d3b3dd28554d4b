/** How a business treats a trip that overlaps another one, or an absence, of the same driver or car. */
import { Schema } from "effect"

/**
 * `off`: clashes are ignored. `warn`: the change is made and the clash reported. `enforce`: the change needs a
 * confirmation.
 */
export const ClashPolicy = Schema.Literals(["off", "warn", "enforce"])
export type ClashPolicy = typeof ClashPolicy.Type
