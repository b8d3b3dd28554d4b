/** The responses to a request that does not decode: 400 if it could not be parsed, 404 for a malformed id, else 422. */
import { HttpApiMiddleware } from "effect/http-api"
import { wireErrors } from "./ErrorMap.ts"

/** Declares these errors on every route. The steps of a request (`RequestSteps.ts`) decode it and make them. */
export class RequestDecoding extends HttpApiMiddleware.Service<RequestDecoding>()(
  "@livery/contract/RequestDecoding",
  { error: [wireErrors.malformed, wireErrors.invalid, wireErrors.notFound] }
) {}
