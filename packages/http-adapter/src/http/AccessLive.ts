/** The access middleware: authenticates, counts against the rate limit, applies idempotency, and gives the handler its caller. */
import { Effect, Layer, Redacted } from "effect"
import { HttpServerRequest } from "effect/http"
import {
  actingBusiness,
  type ActingBusiness,
  actingDriver,
  type ActingDriver,
  Authentication,
  type BearerPrincipal,
  CurrentActor,
  DriverTokens,
  masked,
  signedInUser
} from "@livery/domain"
import {
  Acting,
  Assigned,
  BusinessAccess,
  DriverAccess,
  DriverTokenAccess,
  Driving,
  PublicAccess,
  PublicAuthAccess,
  SignedIn,
  UserAccess,
  UserForBusinessAccess
} from "./Access.ts"
import { clientAddress } from "./ClientAddress.ts"
import { make as idempotentRequests } from "./IdempotentRequests.ts"
import { limit, RateLimits } from "./RateLimits.ts"
import { note } from "./RequestNotes.ts"

/** The owner of an `Idempotency-Key`: a business, whichever of its API keys is used, or a person acting for it. */
const callerOf = (principal: BearerPrincipal, business?: ActingBusiness) => {
  const forBusiness = business === undefined ? "" : `business:${business.business_id}`
  return principal._tag === "ApiKey" ? forBusiness : `user:${principal.user.user_id} ${forBusiness}`
}

/** The tenant of the bulkhead for idempotent requests: a business, with all who act for it. */
const tenantOf = ({ business_id }: ActingBusiness) => `business:${business_id}`

/** The caller in audit trails and timelines; an API key by its masked form. */
const actorOf = (principal: BearerPrincipal, credential: Redacted.Redacted) =>
  principal._tag === "ApiKey"
    ? `api_key:${masked(Redacted.value(credential))}`
    : `user:${principal.user.user_id}`

/** A caller of a public route: its address, with the credential that a few of these routes take. */
const publicCallerAt = (address: string) =>
  Effect.map(
    HttpServerRequest.HttpServerRequest,
    ({ headers }) => `address:${address} ${headers["authorization"] ?? ""}`
  )

const make = Effect.gen(function* () {
  const authentication = yield* Authentication
  const limits = yield* RateLimits

  /** A refusal counts against the address, or guessing keys would cost nothing. */
  const orCounted = <A, E extends { readonly _tag: string }, R>(access: Effect.Effect<A, E, R>) =>
    Effect.tapError(access, (refusal) =>
      refusal._tag === "TooManyRequests"
        ? Effect.void
        : Effect.flatMap(clientAddress, (address) => limit(limits, "public", address))
    )

  const actingFor = Effect.fnUntraced(function* (principal: BearerPrincipal) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const acting = yield* actingBusiness(principal, request.headers["x-business-id"])
    yield* note({ business_id: acting.business_id })
    yield* limit(limits, "business", String(acting.business_id))
    return acting
  })

  const signedIn = Effect.fnUntraced(function* (principal: BearerPrincipal) {
    const user = yield* signedInUser(principal)
    yield* note({ user_id: user.user.user_id })
    return user
  })

  /** The business that the credential acts for, and its caller. */
  const acting = (credential: Redacted.Redacted) =>
    orCounted(
      Effect.gen(function* () {
        const principal = yield* authentication.principal(credential)
        const business = yield* actingFor(principal)
        return { business, actor: actorOf(principal, credential), caller: callerOf(principal, business) }
      })
    )

  /** The person whose credential it is. */
  const person = (credential: Redacted.Redacted) =>
    orCounted(Effect.flatMap(authentication.principal(credential), signedIn))

  /** The person whose credential it is, and the business that it acts for. */
  const personActing = (credential: Redacted.Redacted) =>
    orCounted(
      Effect.gen(function* () {
        const user = yield* Effect.flatMap(authentication.principal(credential), signedIn)
        return { user, acting: yield* actingFor(user) }
      })
    )

  /** Phones report every few seconds: each driver has its own window, apart from the dispatchers'. */
  const countDriver = Effect.fnUntraced(function* ({ business, driver_id }: ActingDriver) {
    yield* note({ business_id: business.business_id })
    yield* limit(limits, "business", `driver:${business.business_id}/${driver_id}`)
  })

  /** The driver whose credential it is. */
  const driving = (credential: Redacted.Redacted) =>
    orCounted(
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const principal = yield* authentication.principal(credential)
        const driver = yield* actingDriver(principal, request.headers["x-business-id"])
        yield* countDriver(driver)
        return { driver, caller: callerOf(principal, driver.business) }
      })
    )

  const driverTokens = yield* DriverTokens

  /** The driver whose token it is. */
  const assigned = (token: Redacted.Redacted) =>
    orCounted(Effect.tap(driverTokens.driver({ _tag: "DriverToken", token }), countDriver))

  const idempotent = yield* idempotentRequests

  return { limits, idempotent, acting, person, personActing, driving, assigned }
})

const BusinessAccessLive = Layer.effect(
  BusinessAccess,
  Effect.gen(function* () {
    const { acting, idempotent } = yield* make
    return BusinessAccess.of({
      business_credential: Effect.fnUntraced(function* (app, { credential, endpoint }) {
        const { actor, business, caller } = yield* acting(credential)
        return yield* app.pipe(
          (route) => idempotent(endpoint, { scope: "business", tenant: tenantOf(business), caller }, route),
          Effect.provideService(Acting, business),
          Effect.provideService(CurrentActor, actor)
        )
      })
    })
  })
)

const UserAccessLive = Layer.effect(
  UserAccess,
  Effect.gen(function* () {
    const { limits, person, idempotent } = yield* make
    return UserAccess.of({
      user_token: Effect.fnUntraced(function* (app, { credential, endpoint }) {
        const user = yield* person(credential)
        const tenant = `user:${user.user.user_id}`
        yield* limit(limits, "business", tenant)
        return yield* app.pipe(
          (route) => idempotent(endpoint, { scope: "business", tenant, caller: callerOf(user) }, route),
          Effect.provideService(SignedIn, user),
          Effect.provideService(CurrentActor, actorOf(user, credential))
        )
      })
    })
  })
)

const UserForBusinessAccessLive = Layer.effect(
  UserForBusinessAccess,
  Effect.gen(function* () {
    const { personActing, idempotent } = yield* make
    return UserForBusinessAccess.of({
      user_token: Effect.fnUntraced(function* (app, { credential, endpoint }) {
        const { acting, user } = yield* personActing(credential)
        const caller = callerOf(user, acting)
        return yield* app.pipe(
          (route) => idempotent(endpoint, { scope: "business", tenant: tenantOf(acting), caller }, route),
          Effect.provideService(SignedIn, user),
          Effect.provideService(Acting, acting),
          Effect.provideService(CurrentActor, actorOf(user, credential))
        )
      })
    })
  })
)

const PublicAuthAccessLive = Layer.effect(
  PublicAuthAccess,
  Effect.gen(function* () {
    const limits = yield* RateLimits
    const idempotent = yield* idempotentRequests
    return PublicAuthAccess.of(
      Effect.fnUntraced(function* (app, { endpoint }) {
        const address = yield* clientAddress
        yield* limit(limits, "auth", address)
        return yield* idempotent(
          endpoint,
          { scope: "public", tenant: address, caller: yield* publicCallerAt(address) },
          app
        )
      })
    )
  })
)

const PublicAccessLive = Layer.effect(
  PublicAccess,
  Effect.gen(function* () {
    const limits = yield* RateLimits
    const idempotent = yield* idempotentRequests
    return PublicAccess.of(
      Effect.fnUntraced(function* (app, { endpoint }) {
        const address = yield* clientAddress
        yield* limit(limits, "public", address)
        return yield* idempotent(
          endpoint,
          { scope: "public", tenant: address, caller: yield* publicCallerAt(address) },
          app
        )
      })
    )
  })
)

/** A driver in audit trails and timelines. */
const driverActor = ({ driver_id }: ActingDriver) => `driver:${driver_id}`

const DriverAccessLive = Layer.effect(
  DriverAccess,
  Effect.gen(function* () {
    const { driving, idempotent } = yield* make
    return DriverAccess.of({
      driver_account: Effect.fnUntraced(function* (app, { credential, endpoint }) {
        const { caller, driver } = yield* driving(credential)
        return yield* app.pipe(
          (route) =>
            idempotent(endpoint, { scope: "business", tenant: tenantOf(driver.business), caller }, route),
          Effect.provideService(Driving, driver),
          Effect.provideService(CurrentActor, driverActor(driver))
        )
      })
    })
  })
)

const DriverTokenAccessLive = Layer.effect(
  DriverTokenAccess,
  Effect.gen(function* () {
    const { assigned, idempotent } = yield* make
    return DriverTokenAccess.of({
      driver_token: Effect.fnUntraced(function* (app, { credential, endpoint }) {
        const driver = yield* assigned(credential)
        const caller = `assignment:${driver.assignment_id}`
        return yield* app.pipe(
          (route) =>
            idempotent(endpoint, { scope: "business", tenant: tenantOf(driver.business), caller }, route),
          Effect.provideService(Assigned, driver),
          Effect.provideService(CurrentActor, driverActor(driver))
        )
      })
    })
  })
)

/** Every access, over the domain's authentication, rate counters and idempotency. */
export const AccessLive = Layer.mergeAll(
  BusinessAccessLive,
  UserAccessLive,
  UserForBusinessAccessLive,
  PublicAuthAccessLive,
  PublicAccessLive,
  DriverAccessLive,
  DriverTokenAccessLive
)
