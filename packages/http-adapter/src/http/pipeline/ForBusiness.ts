/** Handlers of the routes that act for a business. */
import { Effect } from "effect"
import { CurrentBusiness } from "@livery/contract"
import type { ActingBusiness } from "@livery/domain"

/** The handler that runs `handle` with the business that the caller acts for. */
export const forBusiness =
  <Request, A, E, R>(handle: (acting: ActingBusiness, request: Request) => Effect.Effect<A, E, R>) =>
  (request: Request): Effect.Effect<A, E, R | CurrentBusiness> =>
    Effect.flatMap(CurrentBusiness, (acting) => handle(acting, request))
