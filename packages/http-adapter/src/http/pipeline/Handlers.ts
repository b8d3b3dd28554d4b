/**
 * The handlers of the contract, checked against it: each group of endpoints has one handler for each of its endpoints, which
 * takes the endpoint's decoded input, needs no other services than those of a request, and returns the endpoint's success or
 * one of its errors.
 */
import { Effect, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Api } from "@livery/contract"

/** The argument of a handler: what was decoded of its request. */
export interface HandlerInput {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
  readonly params?: unknown
  readonly headers?: unknown
  readonly query?: unknown
  readonly payload?: unknown
}

/** A handler as the pipeline calls it. A raw one reads the body of the request itself. */
export interface Handler {
  readonly handle: (input: HandlerInput) => Effect.Effect<unknown, unknown>
  readonly isRaw: boolean
}

/** The handlers of a group, by the identifiers of its endpoints. */
export interface GroupHandlers {
  readonly group: string
  readonly handlers: ReadonlyMap<string, Handler>
}

/** The services of a request that a handler may use, with those of the caller whom its access admits. */
type Services<Endpoint> =
  | HttpServerRequest.HttpServerRequest
  | Scope.Scope
  | HttpApiEndpoint.MiddlewareProvides<Endpoint>

type Decoded<Endpoint extends HttpApiEndpoint.Constraint> = HttpApiEndpoint.Handler<
  Endpoint,
  HttpApiEndpoint.MiddlewareError<Endpoint>,
  Services<Endpoint>
>

/** A handler that reads the body of the request itself. */
interface Raw<Endpoint extends HttpApiEndpoint.Constraint> {
  readonly raw: HttpApiEndpoint.HandlerRaw<
    Endpoint,
    HttpApiEndpoint.MiddlewareError<Endpoint>,
    Services<Endpoint>
  >
}

/** One handler for each endpoint of a group. */
type HandlersOf<Group> = {
  readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<Endpoint>]:
    | Decoded<Endpoint>
    | Raw<Endpoint>
}

type Groups = typeof Api extends HttpApi.HttpApi<infer _Id, infer Found> ? Found : never

/** Makes the handlers of a group of the contract. `build` gets the function that checks them and returns what it gave. */
export const handlersOf = <
  const Name extends HttpApiGroup.Identifier<Groups>,
  Step extends Effect.Effect<unknown, unknown, unknown>
>(
  group: Name,
  build: (
    handlers: (all: HandlersOf<HttpApiGroup.WithIdentifier<Groups, Name>>) => GroupHandlers
  ) => Generator<Step, GroupHandlers, never>
) =>
  Effect.gen(() =>
    build((all) => ({
      group,
      handlers: new Map(
        Object.entries<unknown>(all).map(([name, given]) => {
          const isRaw = typeof given === "object"
          const handle = isRaw ? (given as { readonly raw: unknown }).raw : given
          return [name, { handle: handle as Handler["handle"], isRaw }]
        })
      )
    }))
  )
