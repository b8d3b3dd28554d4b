/** Options of the fast path for tests. */
import { Context } from "effect"
import type { RequestState } from "../request/CurrentRequest.ts"
import type { EndpointPlan } from "./EndpointPlan.ts"
import type { ApiRoute } from "./Routes.ts"

/**
 * For tests: they turn it off to compare both paths, see which routes it handles, and check the text that is sent for
 * every value of a handler.
 */
export const FastPathOptions = Context.Reference<{
  readonly isOff?: boolean
  readonly planned?: (route: ApiRoute) => void
  readonly check?: (plan: EndpointPlan, value: unknown, text: string, state: RequestState) => void
}>("@livery/http-adapter/FastPathOptions", { defaultValue: () => ({}) })
