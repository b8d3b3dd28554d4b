/** How large an erasure is that completes before its caller gets the response. */
import { Context } from "effect"

/**
 * How many records and copies an erasure may read while its caller waits. Beyond that, the workers erase what remains, with
 * pauses: the reading of a large history would slow the requests of all businesses.
 */
export const ForegroundErasure = Context.Reference<number>("@livery/domain/ForegroundErasure", {
  defaultValue: () => 5000
})
