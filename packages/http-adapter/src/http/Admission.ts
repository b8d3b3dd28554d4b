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
  CurrentReason,
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
import { reasonOf } from "./AuditReason.ts"
import { limit, RateLimits } from "./RateLimits.ts"

/** `Effect.tapError` that returns an effect that has already succeeded as it is. */
const tapFailure = <A, E, E2>(
  effect: Effect.Effect<A, E>,
  onFailure: (error: E) => Effect.Effect<void, E2>
): Effect.Effect<A, E | E2> =>
  Exit.isExit(effect) && Exit.isSuccess(effect) ? effect : Effect.tapError(effect, onFailure)

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
    tapFailure(admission, ({ _tag }) =>
      _tag === "TooManyRequests" ? Effect.void : limit(limits, state, "public", addressOf(request, trusted))
    )

  /** The permission that a route without an area requires: only owners have it. */
  const strictest: Permission = { area: "members", action: "write" }

  /** The business that the caller acts for. Counts the request against its rate limit. */
  const actingFor = ({ request, state }: AdmissionRequest, principal: BearerPrincipal) =>
    Effect.flatMapEager(actingBusiness(principal, headerOf(request, "x-business-id")), (acting) => {
      state.businessId = acting.business_id
      return Effect.mapEager(limit(limits, state, "business", String(acting.business_id)), () => acting)
    })

  const withRole = <S>(role: CallerRole, admission: Admission<S>): Admission<S> => ({
    ...admission,
    provide: (context) => Context.add(admission.provide(context), CurrentRole, role)
  })

  /** Refuses a caller whose role lacks the permission. That is not counted as a refused credential. */
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

  const userOf = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
      signedIn(admissionRequest, principal)
    )

  /** Adds the user, as the caller and as the author of changes, to a handler's context. */
  const providesUser = (user: UserPrincipal, { credential }: AdmissionRequest) => {
    const actor = actorOf(user, credential)
    return <R>(context: Context.Context<R>) =>
      context.pipe(Context.add(CurrentUser, user), Context.add(CurrentActor, actor))
  }

  /** Counts a user's request in the user's own window, apart from the windows of businesses. Returns the tenant. */
  const countUser = ({ state }: AdmissionRequest, user: UserPrincipal) => {
    const tenant = `user:${user.user.user_id}`
    return Effect.mapEager(limit(limits, state, "business", tenant), () => tenant)
  }

  const admitUser = <E extends { readonly _tag: string }>(
    admissionRequest: AdmissionRequest,
    authenticated: Effect.Effect<UserPrincipal, E>
  ) =>
    Effect.flatMapEager(countRefusal(admissionRequest, authenticated), (user) =>
      Effect.mapEager(countUser(admissionRequest, user), (tenant): Admission<CurrentUser> => ({
        scope: "business",
        tenant,
        caller: callerOf(user),
        provide: providesUser(user, admissionRequest)
      }))
    )

  /** A user, by an access token. */
  const user = (admissionRequest: AdmissionRequest) => admitUser(admissionRequest, userOf(admissionRequest))

  const superAdminOf = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(principalOf(admissionRequest.credential), (principal) =>
      Effect.flatMapEager(superAdmin(principal), () => signedIn(admissionRequest, principal))
    )

  /** A super-admin, by an access token, with the reason for a change. */
  const administrator = (admissionRequest: AdmissionRequest) =>
    Effect.flatMapEager(admitUser(admissionRequest, superAdminOf(admissionRequest)), (admission) =>
      Effect.mapEager(reasonOf(admissionRequest.request), (reason) =>
        reason === null
          ? admission
          : {
              ...admission,
              provide: <R>(context: Context.Context<R>) =>
                Context.add(admission.provide(context), CurrentReason, reason)
            }
      )
    )

  /** A user who acts for a business. */
  const userForBusiness = (admissionRequest: AdmissionRequest) =>
    requirePermission(
      admissionRequest,
      countRefusal(
        admissionRequest,
        Effect.flatMapEager(userOf(admissionRequest), (user) =>
          Effect.mapEager(actingFor(admissionRequest, user), (acting) => {
            const provideUser = providesUser(user, admissionRequest)
            const admission: Admission<CurrentUser | CurrentBusiness> = {
              scope: "business",
              tenant: tenantOf(acting),
              caller: callerOf(user, acting),
              provide: (context) => Context.add(provideUser(context), CurrentBusiness, acting)
            }
            return { principal: user, acting, admission }
          })
        )
      )
    )

  /**
   * Counts a driver's request. Phones report every few seconds, so each driver has a window of its own, apart from the business's.
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
   * Any caller, limited by address. The address and the request's credential together own an idempotency key.
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
