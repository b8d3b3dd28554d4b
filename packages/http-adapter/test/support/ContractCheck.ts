/** Checks the responses of tests against the contract. */
import { Api, CurrentRequest, envelopeForm } from "@livery/contract"
import { assert } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { pathOf } from "../../src/http/request/IncomingRequest.ts"
import { type ApiRoute, makeRoutes, type Route, routesOf } from "../../src/http/pipeline/Routes.ts"
import type { Answer } from "./TestServer.ts"

const routes = makeRoutes(routesOf(Api))

const isApiRoute = (route: Route | undefined): route is ApiRoute => route !== undefined && "endpoint" in route

/** The schema of a route's success, if that is JSON in the envelope. */
const successOf = ({ endpoint }: ApiRoute) => {
  const [success] = endpoint.success
  if (success === undefined) return undefined
  const body = (HttpApiSchema.isWithHeaders(success) ? success.schema : success) as Schema.Codec<
    unknown,
    unknown
  >
  return body.ast.annotations?.[envelopeForm] === undefined ? undefined : body
}

/**
 * Checks that a success is what a client of the contract reads, and nothing more: decoded by the schema of the route and encoded
 * again, it is the same text. A field that the contract does not have would be lost, and one of another form would differ.
 */
export const checkContract = (method: string, path: string, { body, status, text }: Answer): void => {
  const route = routes.resolve(pathOf(path))?.path.routes.get(method)
  if (status >= 300 || text === "" || body.meta === undefined || !isApiRoute(route)) return
  const schema = successOf(route)
  if (schema === undefined) return
  const value = Schema.decodeExit(schema)(body)
  assert.isTrue(
    Exit.isSuccess(value),
    `${method} ${route.pattern}: ${text} does not decode: ${String(value)}`
  )
  if (Exit.isFailure(value)) return
  const encoded = Effect.updateService(
    Schema.encodeUnknownEffect(schema)(value.value),
    CurrentRequest,
    (request) => ({ ...request, id: body.meta?.request_id ?? "" })
  )
  assert.strictEqual(text, JSON.stringify(Effect.runSync(encoded)), `${method} ${route.pattern}`)
}
