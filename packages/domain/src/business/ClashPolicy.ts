/** How a business treats an assignment that overlaps another one of the same driver. */
import { Schema } from "effect"

/**
 * `off`: clashes are ignored. `warn`: the assignment is made and the clash reported. `enforce`: the assignment needs a
 * confirmation.
 */
export const ClashPolicy = Schema.Literals(["off", "warn", "enforce"])
export type ClashPolicy = typeof ClashPolicy.Type
