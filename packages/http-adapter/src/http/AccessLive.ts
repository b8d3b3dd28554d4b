/** The accesses as middleware of the contract: admit the caller, apply idempotency, and give the handler its caller. */
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import {
  BusinessAccess,
  DriverAccess,
  DriverTokenAccess,
  PublicAccess,
  PublicAuthAccess,
  UserAccess,
  UserForBusinessAccess
} from "./Access.ts"
import { makeAdmissions } from "./Admission.ts"
import type { Admission, Applicant } from "./Applicant.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import { make as idempotentRequests } from "./IdempotentRequests.ts"

/** The admission functions, and `admitted`, which admits the caller, applies idempotency and runs the route. */
const make = Effect.gen(function* () {
  const admissions = yield* makeAdmissions
  const idempotent = yield* idempotentRequests
  const admitted = Effect.fnUntraced(function* <S, E, E2, R>(
    admit: (applicant: Applicant) => Effect.Effect<Admission<S>, E>,
    endpoint: HttpApiEndpoint.Top,
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E2, R>,
    credential: Redacted.Redacted = Redacted.make("")
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const state = yield* CurrentRequest
    const admission = yield* admit({ request, state, credential: Redacted.value(credential) })
    return yield* Effect.provideContext(
      idempotent(endpoint, admission, app),
      admission.provide(Context.empty())
    )
  })
  return { ...admissions, admitted }
})

/** Every access, over the domain's authentication, rate counters and idempotency. */
export const AccessLive = Layer.mergeAll(
  Layer.effect(
    BusinessAccess,
    Effect.map(make, ({ admitted, business }) => ({
      business_credential: (app, { credential, endpoint }) => admitted(business, endpoint, app, credential)
    }))
  ),
  Layer.effect(
    UserAccess,
    Effect.map(make, ({ admitted, user }) => ({
      user_token: (app, { credential, endpoint }) => admitted(user, endpoint, app, credential)
    }))
  ),
  Layer.effect(
    UserForBusinessAccess,
    Effect.map(make, ({ admitted, userForBusiness }) => ({
      user_token: (app, { credential, endpoint }) => admitted(userForBusiness, endpoint, app, credential)
    }))
  ),
  Layer.effect(
    PublicAuthAccess,
    Effect.map(
      make,
      (it) =>
        (app, { endpoint }) =>
          it.admitted(it.publicAuth, endpoint, app)
    )
  ),
  Layer.effect(
    PublicAccess,
    Effect.map(
      make,
      (it) =>
        (app, { endpoint }) =>
          it.admitted(it.public, endpoint, app)
    )
  ),
  Layer.effect(
    DriverAccess,
    Effect.map(make, ({ admitted, driver }) => ({
      driver_account: (app, { credential, endpoint }) => admitted(driver, endpoint, app, credential)
    }))
  ),
  Layer.effect(
    DriverTokenAccess,
    Effect.map(make, ({ admitted, driverToken }) => ({
      driver_token: (app, { credential, endpoint }) => admitted(driverToken, endpoint, app, credential)
    }))
  )
)
