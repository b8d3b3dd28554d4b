/** What a request that does not decode is answered: 400 if it could not be read, 404 for a malformed id, else 422. */
import { HttpApiMiddleware } from "effect/http-api"
import { wireErrors } from "./ErrorMap.ts"

/** On every route: turns what failed to decode into the envelope, naming every wrong field. */
export class RequestDecoding extends HttpApiMiddleware.Service<RequestDecoding>()(
  "@livery/http-adapter/RequestDecoding",
  { error: [wireErrors.malformed, wireErrors.invalid, wireErrors.notFound] }
) {}
