/**
 * Admits a caller to a route: authenticates the caller, counts the request against the rate limit, and returns the
 * caller's identity. There is one function for each access of `Access.ts`. Each returns an `Exit` if it did not have to
 * wait.
 */
import { Context, Effect } from "effect"
import {
  actingBusiness,
  type ActingBusiness,
  type BearerPrincipal,
  type CallerRole,
  CurrentActor,
  CurrentReason,
  CurrentRole,
  type Permission,
  permitted,
  signedInPerson,
  signedInUser,
  superAdmin,
  type UserPrincipal
} from "@livery/domain"
import { type CallerKind, CurrentBusiness, CurrentUser } from "@livery/contract"
import {
  actorOf,
  type Admission,
  type AdmissionRequest,
  callerOf,
  credentialOf,
  publicAdmission,
  tenantOf
} from "./AdmissionRequest.ts"
import type { Query } from "../request/Query.ts"
import { addressOf, TrustedProxies } from "../request/ClientAddress.ts"
import { makeCredentialChecks } from "./CredentialChecks.ts"
import { makeDriverAdmissions } from "./DriverAdmissions.ts"
import { headerOf } from "../request/IncomingRequest.ts"
import { reasonOf } from "../request/AuditReason.ts"
import { limit, RateLimits } from "./RateLimits.ts"

/** Admits callers to the routes of each access. */
export const makeAdmissions = Effect.gen(function* () {
  const { countRefusal, principalOf } = yield* makeCredentialChecks
  const drivers = yield* makeDriverAdmissions
  const limits = yield* RateLimits
  const trusted = yield* TrustedProxies

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
        role === "api_key" ? admission : withRole(role, admission)
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

  const personOf = ({ credential, state }: AdmissionRequest) =>
    Effect.flatMapEager(principalOf(credential), (principal) =>
      Effect.mapEager(signedInPerson(principal), (person) => {
        state.userId = person.user.user_id
        return person
      })
    )

  /** A user or a driver, by an access token. */
  const person = (admissionRequest: AdmissionRequest) =>
    admitUser(admissionRequest, personOf(admissionRequest))

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

  const admissions: Readonly<
    Record<CallerKind, (request: AdmissionRequest) => Effect.Effect<Admission<unknown>, unknown>>
  > = {
    business,
    user,
    person,
    userForBusiness,
    superAdmin: administrator,
    ...drivers,
    publicAuth: anyone("auth"),
    public: anyone("public"),
    signed
  }

  /** Admits the caller of a request to a route for callers of that kind. */
  return (
    {
      callerKind,
      permission
    }: Pick<AdmissionRequest, "permission"> & { readonly callerKind: CallerKind | undefined },
    { query, request, state }: Pick<AdmissionRequest, "request" | "state"> & { readonly query: Query }
  ): Effect.Effect<Admission<unknown>, unknown> => {
    if (callerKind === undefined) return Effect.succeed(publicAdmission)
    const credential = credentialOf(callerKind, request, query)
    return admissions[callerKind]({ request, state, credential, permission })
  }
})
