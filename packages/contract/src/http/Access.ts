/**
 * The kind of caller that a route accepts, declared once on the route. The declaration adds the check of the
 * credential, adds the security section of OpenAPI, and gives the handler its caller. A route without an access has no
 * caller, and the use cases that touch a business's data cannot be called without the acting business. The checks
 * themselves are in `Admission.ts`.
 */
import { Context } from "effect"
import { type HttpApiEndpoint, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import type {
  ActingBusiness,
  ActingDriver,
  Area,
  AssignedDriver,
  Permission,
  UserPrincipal
} from "@livery/domain/records"
import { wireErrors } from "./ErrorMap.ts"

/** The business that the caller acts for. */
export class CurrentBusiness extends Context.Service<CurrentBusiness, ActingBusiness>()(
  "@livery/contract/CurrentBusiness"
) {}

/** The person who calls with a user access token. */
export class CurrentUser extends Context.Service<CurrentUser, UserPrincipal>()(
  "@livery/contract/CurrentUser"
) {}

/** The driver who calls with a user access token. */
export class CurrentDriver extends Context.Service<CurrentDriver, ActingDriver>()(
  "@livery/contract/CurrentDriver"
) {}

/** The driver who calls with the token of one assignment. */
export class CurrentAssignedDriver extends Context.Service<CurrentAssignedDriver, AssignedDriver>()(
  "@livery/contract/CurrentAssignedDriver"
) {}

const described = (description: string) =>
  HttpApiSecurity.bearer.pipe(HttpApiSecurity.annotateMerge(OpenApi.annotations({ description })))

const security = {
  business: described("A business API key (`lvk_…`), or a user access token with `X-Business-Id`."),
  user: described("A user access token."),
  superAdmin: described("The user access token of a super-admin; `X-Business-Id` is ignored."),
  driver: described(
    "The user access token of a driver's account, or of an administrator with a driver's record; " +
      "`X-Business-Id` is required if the account drives for several businesses."
  ),
  driverToken: HttpApiSecurity.apiKey({ key: "token", in: "query" }).pipe(
    HttpApiSecurity.annotateMerge(
      OpenApi.annotations({
        description: "The token of one assignment (`drv_…`); it expires when the assignment ends."
      })
    )
  )
}

/** The refusals that any route may return for an `Idempotency-Key`. */
const idempotencyRefusals = [wireErrors.invalid, wireErrors.conflict] as const

const refusals = [
  wireErrors.unauthorized,
  wireErrors.forbidden,
  wireErrors.tooManyRequests,
  ...idempotencyRefusals
] as const

const businessRefusals = [...refusals, wireErrors.accountSuspended, wireErrors.businessRequired] as const

/** Accepts an API key, or the user access token of a user who may act for a business. */
export class BusinessAccess extends HttpApiMiddleware.Service<
  BusinessAccess,
  { provides: CurrentBusiness }
>()("@livery/contract/BusinessAccess", {
  security: { business_credential: security.business },
  error: businessRefusals
}) {}

/** Accepts a user access token only. */
export class UserAccess extends HttpApiMiddleware.Service<UserAccess, { provides: CurrentUser }>()(
  "@livery/contract/UserAccess",
  { security: { user_token: security.user }, error: refusals }
) {}

/** Accepts a user access token only, also of a driver's account: for what belongs to the person, whoever employs them. */
export class PersonAccess extends HttpApiMiddleware.Service<PersonAccess, { provides: CurrentUser }>()(
  "@livery/contract/PersonAccess",
  { security: { user_token: security.user }, error: refusals }
) {}

/** Accepts a user access token only, of a user who acts for one of their businesses. */
export class UserForBusinessAccess extends HttpApiMiddleware.Service<
  UserForBusinessAccess,
  { provides: CurrentUser | CurrentBusiness }
>()("@livery/contract/UserForBusinessAccess", {
  security: { user_token: security.user },
  error: businessRefusals
}) {}

/** Accepts the user access token of a super-admin only. */
export class SuperAdminAccess extends HttpApiMiddleware.Service<
  SuperAdminAccess,
  { provides: CurrentUser }
>()("@livery/contract/SuperAdminAccess", {
  security: { super_admin_token: security.superAdmin },
  error: refusals
}) {}

/** Accepts anyone, with the rate limit per address of the public authentication routes. */
export class PublicAuthAccess extends HttpApiMiddleware.Service<PublicAuthAccess>()(
  "@livery/contract/PublicAuthAccess",
  { error: [wireErrors.tooManyRequests, ...idempotencyRefusals] }
) {}

/** Accepts anyone, with the rate limit per address of the other public routes. */
export class PublicAccess extends HttpApiMiddleware.Service<PublicAccess>()("@livery/contract/PublicAccess", {
  error: [wireErrors.tooManyRequests, ...idempotencyRefusals]
}) {}

/**
 * Accepts requests with a signature, which the handler checks. Only refused signatures count against the address, because a
 * provider sends all of its notices from a few addresses.
 */
export class SignedAccess extends HttpApiMiddleware.Service<SignedAccess>()("@livery/contract/SignedAccess", {
  error: [wireErrors.tooManyRequests, ...idempotencyRefusals]
}) {}

/** Accepts drivers who have signed in. */
export class DriverAccess extends HttpApiMiddleware.Service<DriverAccess, { provides: CurrentDriver }>()(
  "@livery/contract/DriverAccess",
  { security: { driver_account: security.driver }, error: businessRefusals }
) {}

/** Accepts drivers without an account, for one assignment. */
export class DriverTokenAccess extends HttpApiMiddleware.Service<
  DriverTokenAccess,
  { provides: CurrentAssignedDriver }
>()("@livery/contract/DriverTokenAccess", {
  security: { driver_token: security.driverToken },
  error: [
    wireErrors.unauthorized,
    wireErrors.accountSuspended,
    wireErrors.tooManyRequests,
    ...idempotencyRefusals
  ]
}) {}

const AreaOf = Context.Reference<Area | undefined>("@livery/contract/Area", {
  defaultValue: () => undefined
})

/**
 * Puts a route, or the routes of a group, into an area of the access table (`Role.ts` of the domain), which says what
 * each role may do there. A GET reads, other methods write.
 */
export const inArea = (area: Area) => Context.make(AreaOf, area)

/** The permission that a route requires, by its method and its annotations; undefined for a route without an area. */
export const permissionOf = (
  { method }: HttpApiEndpoint.Top,
  annotations: Context.Context<never>
): Permission | undefined => {
  const area = Context.get(annotations, AreaOf)
  if (area === undefined) return undefined
  return { area, action: method === "GET" ? "read" : "write" }
}

/** The accesses, by the kind of caller that they accept. */
const accesses = {
  business: BusinessAccess,
  user: UserAccess,
  person: PersonAccess,
  userForBusiness: UserForBusinessAccess,
  superAdmin: SuperAdminAccess,
  driver: DriverAccess,
  driverToken: DriverTokenAccess,
  publicAuth: PublicAuthAccess,
  public: PublicAccess,
  signed: SignedAccess
} as const

/** A kind of caller that a route accepts. */
export type CallerKind = keyof typeof accesses

/** Whether callers of that kind act for a business, so that their routes belong to an area. */
export const actsForBusiness = (kind: CallerKind): boolean =>
  kind === "business" || kind === "userForBusiness"

/** The kinds of callers that a route accepts; empty for the few routes that anyone may use without being counted. */
export const callerKindsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<CallerKind> =>
  (Object.keys(accesses) as ReadonlyArray<CallerKind>).filter((kind) =>
    endpoint.middlewares.has(accesses[kind])
  )
