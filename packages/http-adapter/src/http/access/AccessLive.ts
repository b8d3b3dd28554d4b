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
} from "../contract/Access.ts"
import { makeAdmissions } from "./Admission.ts"
import type { Admission, AdmissionRequest } from "./AdmissionRequest.ts"
import { CurrentRequest } from "../request/CurrentRequest.ts"
import { make as idempotentRequests } from "./IdempotentRequests.ts"

/** The requested route. */
interface RequestedRoute {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

/** The admission functions, and `runAdmitted`, which admits the caller, applies idempotency and runs the route. */
const make = Effect.gen(function* () {
  const admissions = yield* makeAdmissions
  const idempotent = yield* idempotentRequests
  const runAdmitted = Effect.fnUntraced(function* <S, E, E2, R>(
    admit: (admissionRequest: AdmissionRequest) => Effect.Effect<Admission<S>, E>,
    { endpoint, group }: RequestedRoute,
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
  return { ...admissions, runAdmitted }
})

/** Every access, over the domain's authentication, rate counters and idempotency. */
export const AccessLive = Layer.mergeAll(
  Layer.effect(
    BusinessAccess,
    Effect.map(make, ({ runAdmitted, business }) => ({
      business_credential: (app, { credential, ...route }) => runAdmitted(business, route, app, credential)
    }))
  ),
  Layer.effect(
    UserAccess,
    Effect.map(make, ({ runAdmitted, user }) => ({
      user_token: (app, { credential, ...route }) => runAdmitted(user, route, app, credential)
    }))
  ),
  Layer.effect(
    UserForBusinessAccess,
    Effect.map(make, ({ runAdmitted, userForBusiness }) => ({
      user_token: (app, { credential, ...route }) => runAdmitted(userForBusiness, route, app, credential)
    }))
  ),
  Layer.effect(
    SuperAdminAccess,
    Effect.map(make, ({ runAdmitted, superAdmin }) => ({
      super_admin_token: (app, { credential, ...route }) => runAdmitted(superAdmin, route, app, credential)
    }))
  ),
  Layer.effect(
    PublicAuthAccess,
    Effect.map(make, (access) => (app, route) => access.runAdmitted(access.publicAuth, route, app))
  ),
  Layer.effect(
    PublicAccess,
    Effect.map(make, (access) => (app, route) => access.runAdmitted(access.public, route, app))
  ),
  Layer.effect(
    SignedAccess,
    Effect.map(make, (access) => (app, route) => access.runAdmitted(access.signed, route, app))
  ),
  Layer.effect(
    DriverAccess,
    Effect.map(make, ({ runAdmitted, driver }) => ({
      driver_account: (app, { credential, ...route }) => runAdmitted(driver, route, app, credential)
    }))
  ),
  Layer.effect(
    DriverTokenAccess,
    Effect.map(make, ({ runAdmitted, driverToken }) => ({
      driver_token: (app, { credential, ...route }) => runAdmitted(driverToken, route, app, credential)
    }))
  )
)
