/** The responses to a request that does not decode: 400 if it could not be parsed, 404 for a malformed id, else 422. */
import { HttpApiMiddleware } from "effect/http-api"
import { wireErrors } from "./ErrorMap.ts"

/** On every route: turns a decoding failure into the error envelope, with every wrong field. */
export class RequestDecoding extends HttpApiMiddleware.Service<RequestDecoding>()(
  "@livery/http-adapter/RequestDecoding",
  { error: [wireErrors.malformed, wireErrors.invalid, wireErrors.notFound] }
) {}
