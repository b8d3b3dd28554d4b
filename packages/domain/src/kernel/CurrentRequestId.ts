/** The id of the request that causes a change, for the audit log. The HTTP adapter provides it for every route. */
import { Context } from "effect"

/** The request's id, as in the response; `undefined` outside of requests. */
export const CurrentRequestId = Context.Reference<string | undefined>("@livery/domain/CurrentRequestId", {
  defaultValue: () => undefined
})
