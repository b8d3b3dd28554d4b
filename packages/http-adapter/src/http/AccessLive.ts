/** The accesses as middleware of the contract: admit the caller, apply idempotency, and give the handler its caller. */
import { Context, Effect, Layer, Redacted } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CurrentRequestId } from "@livery/domain"
import {
  BusinessAccess,
  DriverAccess,
  DriverTokenAccess,
  permissionOf,
  PublicAccess,
  PublicAuthAccess,
  SignedAccess,
  SuperAdminAccess,
  UserAccess,
  UserForBusinessAccess
} from "./Access.ts"
import { makeAdmissions } from "./Admission.ts"
import type { Admission, AdmissionRequest } from "./AdmissionRequest.ts"
import { CurrentRequest } from "./CurrentRequest.ts"
import { make as idempotentRequests } from "./IdempotentRequests.ts"

/** The route that is called. */
interface Called {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** The admission functions, and `admitted`, which admits the caller, applies idempotency and runs the route. */
const make = Effect.gen(function* () {
  const admissions = yield* makeAdmissions
  const idempotent = yield* idempotentRequests
  const admitted = Effect.fnUntraced(function* <S, E, E2, R>(
    admit: (admissionRequest: AdmissionRequest) => Effect.Effect<Admission<S>, E>,
    { endpoint, group }: Called,
    app: Effect.Effect<HttpServerResponse.HttpServerResponse, E2, R>,
    credential: Redacted.Redacted = Redacted.make("")
  ) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const state = yield* CurrentRequest
    const permission = permissionOf(endpoint, Context.merge(group.annotations, endpoint.annotations))
    const admission = yield* admit({ request, state, credential: Redacted.value(credential), permission })
    return yield* Effect.provideContext(
      idempotent(endpoint, admission, app),
      admission.provide(Context.make(CurrentRequestId, state.id))
    )
  })
  return { ...admissions, admitted }
})

/** Every access, over the domain's authentication, rate counters and idempotency. */
export const AccessLive = Layer.mergeAll(
  Layer.effect(
    BusinessAccess,
    Effect.map(make, ({ admitted, business }) => ({
      business_credential: (app, { credential, ...called }) => admitted(business, called, app, credential)
    }))
  ),
  Layer.effect(
    UserAccess,
    Effect.map(make, ({ admitted, user }) => ({
      user_token: (app, { credential, ...called }) => admitted(user, called, app, credential)
    }))
  ),
  Layer.effect(
    UserForBusinessAccess,
    Effect.map(make, ({ admitted, userForBusiness }) => ({
      user_token: (app, { credential, ...called }) => admitted(userForBusiness, called, app, credential)
    }))
  ),
  Layer.effect(
    SuperAdminAccess,
    Effect.map(make, ({ admitted, superAdmin }) => ({
      super_admin_token: (app, { credential, ...called }) => admitted(superAdmin, called, app, credential)
    }))
  ),
  Layer.effect(
    PublicAuthAccess,
    Effect.map(make, (it) => (app, called) => it.admitted(it.publicAuth, called, app))
  ),
  Layer.effect(
    PublicAccess,
    Effect.map(make, (it) => (app, called) => it.admitted(it.public, called, app))
  ),
  Layer.effect(
    SignedAccess,
    Effect.map(make, (it) => (app, called) => it.admitted(it.signed, called, app))
  ),
  Layer.effect(
    DriverAccess,
    Effect.map(make, ({ admitted, driver }) => ({
      driver_account: (app, { credential, ...called }) => admitted(driver, called, app, credential)
    }))
  ),
  Layer.effect(
    DriverTokenAccess,
    Effect.map(make, ({ admitted, driverToken }) => ({
      driver_token: (app, { credential, ...called }) => admitted(driverToken, called, app, credential)
    }))
  )
)
