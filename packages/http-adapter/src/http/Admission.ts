/**
 * Admits a caller to a route: authenticates the caller, counts the request against the rate limit, and returns the
 * caller's identity. There is one function for each access of `Access.ts`. Each returns an `Exit` if it did not have to
 * wait.
 */
import { Context, Effect, Exit, Redacted } from "effect"
import {
  actingBusiness,
  type ActingBusiness,
  actingDriver,
  type ActingDriver,
  Authentication,
  type AssignedDriver,
  type BearerPrincipal,
  type CallerRole,
  CurrentActor,
  CurrentRole,
  DriverTokens,
  type Permission,
  permitted,
  signedInUser,
  superAdmin,
  type TooManyRequests,
  Unauthorized,
  type UserPrincipal
} from "@livery/domain"
import { CurrentBusiness, CurrentAssignedDriver, CurrentDriver, CurrentUser } from "./Access.ts"
import {
  actorOf,
  type Admission,
  type AdmissionRequest,
  callerOf,
  driverActor,
  tenantOf
} from "./AdmissionRequest.ts"
import { addressOf, TrustedProxies } from "./ClientAddress.ts"
import { headerOf } from "./IncomingRequest.ts"
import { limit, RateLimits } from "./RateLimits.ts"

const onFailure = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  then: (error: E) => Effect.Effect<void, E2>
): Effect.Effect<A, E | E2> =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect : Effect.tapError(effect, then)

/** Admits callers to the routes of each access. */
export const makeAdmissions = Effect.gen(function* () {
  const authentication = yield* Authentication
  const driverTokens = yield* DriverTokens
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies

  const principalOf = (credential: string): Effect.Effect<BearerPrincipal, Unauthorized> => {
    const cached = authentication.cached(credential)
    if (cached !== undefined) return Effect.succeed(cached)
    return credential === ""
      ? Effect.fail(new Unauthorized())
      : authentication.principal(Redacted.make(credential))
  }

  /** Counts a refused credential against the client's address, so that guessing keys is limited. */
  const countRefusal = <A, E extends { readonly _tag: string }>(
    { request, state }: AdmissionRequest,
    admission: Effect.Effect<A, E>
  ): Effect.Effect<A, E | TooManyRequests> =>
    onFailure(admission, ({ _tag }) =>
      _tag === "TooManyRequests" ? Effect.void : limit(limits, state, "public", addressOf(request, trusted))
    )

  /** A route without an area is refused to everybody but the owners, by the strictest line of the access table. */
  const strictest: Permission = { area: "members", action: "write" }

  const actingFor = ({ request, state }: AdmissionRequest, principal: BearerPrincipal) =>
    Effect.flatMapEager(actingBusiness(principal, headerOf(request, "x-business-id")), (acting) => {
      state.businessId = acting.business_id
      return Effect.mapEager(limit(limits, state, "business", String(acting.business_id)), () => acting)
    })

  const withRole = <S>(role: CallerRole, admission: Admission<S>): Admission<S> => ({
    ...admission,
    provide: (context) => Context.add(admission.provide(context), CurrentRole, role)
  })

  /** Refuses what the caller's role does not allow. A valid credential is not counted as a guess for that. */
  const requirePermission = <S, E>(
    { permission = strictest }: AdmissionRequest,
    admitted: Effect.Effect<
      {
        readonly principal: BearerPrincipal
        readonly acting: ActingBusiness
        readonly admission: Admission<S>
      },
      E
    >
  ) =>
    Effect.flatMapEager(admitted, ({ acting, admission, principal }) =>
      Effect.mapEager(permitted(principal, acting, permission), (role) =>
        role === "api_key" || role === "owner" ? admission : withRole(role, admission)
      )
    )

  const signedIn = ({ state }: AdmissionRequest, principal: BearerPrincipal) =>
    Effect.mapEager(signedInUser(principal), (user) => {
      state.userId = user.user.user_id
      return user
    })

  /** A business: its API key, or a user who may act for it. */
  const business = (admissionRequest: AdmissionRequest) =>
    requirePermission(
      admissionRequest,
      countRefusal(
        admissionRequest,
        Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
          Effect.mapEager(actingFor(admissionRequest, principal), (acting) => {
            const admission: Admission<CurrentBusiness> = {
              scope: "business",
              tenant: tenantOf(acting),
              caller: callerOf(principal, acting),
              provide: (context) =>
                context.pipe(
                  Context.add(CurrentBusiness, acting),
                  Context.add(CurrentActor, actorOf(principal, admissionRequest.credential))
                )
            }
            return { principal, acting, admission }
          })
        )
      )
    )

  const personOf = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
      signedIn(admissionRequest, principal)
    )

  const asPerson = (user: UserPrincipal, { credential }: AdmissionRequest) => {
    const actor = actorOf(user, credential)
    return <R>(context: Context.Context<R>) =>
      context.pipe(Context.add(CurrentUser, user), Context.add(CurrentActor, actor))
  }

  /** Counts a person's request in a window of the person, apart from those of businesses. */
  const countPerson = ({ state }: AdmissionRequest, user: UserPrincipal) => {
    const tenant = `user:${user.user.user_id}`
    return Effect.mapEager(limit(limits, state, "business", tenant), () => tenant)
  }

  /** A person, by a user access token. */
  const user = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(countRefusal(admissionRequest, personOf(admissionRequest)), (user) =>
      Effect.mapEager(countPerson(admissionRequest, user), (tenant): Admission<CurrentUser> => ({
        scope: "business",
        tenant,
        caller: callerOf(user),
        provide: asPerson(user, admissionRequest)
      }))
    )

  const superAdminOf = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
      Effect.flatMapEager(superAdmin(principal), () => signedIn(admissionRequest, principal))
    )

  /** A super-admin, by a user access token. */
  const administrator = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(countRefusal(admissionRequest, superAdminOf(admissionRequest)), (user) =>
      Effect.mapEager(countPerson(admissionRequest, user), (tenant): Admission<CurrentUser> => ({
        scope: "business",
        tenant,
        caller: callerOf(user),
        provide: asPerson(user, admissionRequest)
      }))
    )

  /** A person who acts for one of its businesses. */
  const userForBusiness = (admissionRequest: AdmissionRequest) =>
    requirePermission(
      admissionRequest,
      countRefusal(
        admissionRequest,
        Effect.flatMapEager(personOf(admissionRequest), (user) =>
          Effect.mapEager(actingFor(admissionRequest, user), (acting) => {
            const person = asPerson(user, admissionRequest)
            const admission: Admission<CurrentUser | CurrentBusiness> = {
              scope: "business",
              tenant: tenantOf(acting),
              caller: callerOf(user, acting),
              provide: (context) => Context.add(person(context), CurrentBusiness, acting)
            }
            return { principal: user, acting, admission }
          })
        )
      )
    )

  /**
   * Counts a driver's request. Phones report every few seconds, so each driver has a window apart from the business's.
   */
  const countDriver = ({ state }: AdmissionRequest, { business, driver_id }: ActingDriver) => {
    state.businessId = business.business_id
    return limit(limits, state, "business", `driver:${business.business_id}/${driver_id}`)
  }

  /** A driver who has signed in. */
  const driver = (admissionRequest: AdmissionRequest) =>
    countRefusal(
      admissionRequest,
      Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
        Effect.flatMapEager(
          actingDriver(principal, headerOf(admissionRequest.request, "x-business-id")),
          (driver) =>
            Effect.mapEager(countDriver(admissionRequest, driver), (): Admission<CurrentDriver> => ({
              scope: "business",
              tenant: tenantOf(driver.business),
              caller: callerOf(principal, driver.business),
              provide: (context) =>
                context.pipe(
                  Context.add(CurrentDriver, driver),
                  Context.add(CurrentActor, driverActor(driver))
                )
            }))
        )
      )
    )

  /** A driver without an account, by the token of one assignment. */
  const driverToken = (admissionRequest: AdmissionRequest) =>
    countRefusal(
      admissionRequest,
      Effect.flatMapEager(
        driverTokens.driver({ _tag: "DriverToken", token: Redacted.make(admissionRequest.credential) }),
        (driver: AssignedDriver) =>
          Effect.mapEager(countDriver(admissionRequest, driver), (): Admission<CurrentAssignedDriver> => ({
            scope: "business",
            tenant: tenantOf(driver.business),
            caller: `assignment:${driver.assignment_id}`,
            provide: (context) =>
              context.pipe(
                Context.add(CurrentAssignedDriver, driver),
                Context.add(CurrentActor, driverActor(driver))
              )
          }))
      )
    )

  /**
   * Any caller, limited by address. An idempotency key belongs to the address together with the request's credential.
   */
  const anyone =
    (kind: "auth" | "public") =>
    ({ request, state }: AdmissionRequest) => {
      const address = addressOf(request, trusted)
      return Effect.mapEager(limit(limits, state, kind, address), (): Admission<never> => ({
        scope: "public",
        tenant: address,
        caller: `address:${address} ${headerOf(request, "authorization") ?? ""}`,
        provide: (context) => context
      }))
    }

  /** Any caller, not counted: the handler checks the signature, and counts the requests that it refuses. */
  const signed = ({ request }: AdmissionRequest): Effect.Effect<Admission<never>> => {
    const address = addressOf(request, trusted)
    return Effect.succeed({
      scope: "public",
      tenant: address,
      caller: `address:${address}`,
      provide: (context) => context
    })
  }

  return {
    business,
    user,
    userForBusiness,
    superAdmin: administrator,
    driver,
    driverToken,
    publicAuth: anyone("auth"),
    public: anyone("public"),
    signed
  }
})
