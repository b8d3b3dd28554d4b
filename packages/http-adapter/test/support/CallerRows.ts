/**
 * The expected response to each kind of caller, by the kinds of callers that a route accepts. The rules are those of the
 * specification's Authentication.
 */
import { type CallerRole, mayDo } from "@livery/domain"
import { actsForBusiness, type CallerKind } from "@livery/contract"
import type { Route } from "./DeclaredRoutes.ts"

/** The expectation for a caller: served, or refused before the route runs. */
type Cell = "served" | readonly [status: number, type: string]

export const served = "served" as const
export const unauthorized = [401, "unauthorized"] as const
export const forbidden = [403, "forbidden"] as const
export const suspended = [403, "account_suspended"] as const
export const required = [422, "business_required"] as const
export const malformed = [422, "invalid_request"] as const

export type Row = Readonly<Record<CallerKind, Cell>>

const everybody = { publicAuth: served, public: served, signed: served } as const
export const unauthenticated: Row = {
  ...everybody,
  business: unauthorized,
  user: unauthorized,
  person: unauthorized,
  userForBusiness: unauthorized,
  superAdmin: unauthorized,
  driver: unauthorized,
  driverToken: unauthorized
}
/** A user who drives for no business. */
const person: Row = {
  ...unauthenticated,
  business: served,
  user: served,
  person: served,
  userForBusiness: served,
  superAdmin: forbidden,
  driver: forbidden
}
/** A super-admin. Routes of administration ignore the acting business. */
const superAdminRow: Row = { ...person, superAdmin: served }
const personRefused = (refusal: Cell): Row => ({ ...person, business: refusal, userForBusiness: refusal })
const keyHolder: Row = {
  ...unauthenticated,
  business: served,
  user: forbidden,
  person: forbidden,
  userForBusiness: forbidden,
  superAdmin: forbidden,
  driver: forbidden
}
const driverOnly = (cell: Cell): Row => ({
  ...unauthenticated,
  business: forbidden,
  user: forbidden,
  person: served,
  userForBusiness: forbidden,
  superAdmin: forbidden,
  driver: cell
})

/** The kinds of callers, each with the expectation by the kinds of callers that a route accepts. */
export const expectations = {
  // Rules 1 and 13.
  unauthenticated,
  "a bearer of nonsense": unauthenticated,
  "a key that never was": unauthenticated,
  // Rule 10.
  "an expired token": unauthenticated,
  "a driver token that never was": unauthenticated,
  // Rules 1 and 2.
  "an API key": keyHolder,
  // A key names its business by itself.
  "an API key with a foreign X-Business-Id": keyHolder,
  // Rule 6.
  "a key of a suspended business": { ...keyHolder, business: suspended },
  "an admin of a suspended business": personRefused(suspended),
  // Roles of members: each gets a role's rights, by the area of the route.
  "a dispatcher": person,
  "an accountant": person,
  "a viewer": person,
  "a viewer of one and owner of another": person,
  // Rule 3.
  "an admin": person,
  "a super-admin with a business": superAdminRow,
  // Rule 11.
  "a super-admin without a business": { ...superAdminRow, business: forbidden, userForBusiness: forbidden },
  "a super-admin who names a foreign business": {
    ...superAdminRow,
    business: forbidden,
    userForBusiness: forbidden
  },
  "an admin of several who names one": person,
  "an admin of several who names none": personRefused(required),
  "an admin who names a foreign business": personRefused(forbidden),
  "an admin who names a malformed one": personRefused(malformed),
  "an admin without a business": personRefused(forbidden),
  // Rule 12.
  "a driver": driverOnly(served),
  "a driver of a suspended business": driverOnly(suspended),
  "a driver of several who names none": driverOnly(required),
  "a driver of several who names one": driverOnly(served),
  "a driver who names a foreign business": driverOnly(forbidden),
  "a driver who names a malformed one": driverOnly(malformed),
  "a driver's account without a driver": driverOnly(forbidden),
  "a driver whose record was deleted": driverOnly(forbidden),
  "an admin who drives": { ...person, driver: served },
  "a driver token": { ...unauthenticated, driverToken: served },
  "a driver token that has ended": unauthenticated,
  "a driver token of a suspended business": { ...unauthenticated, driverToken: suspended }
} satisfies Record<string, Row>

export type Caller = keyof typeof expectations

/** The callers who are not owners of the business that they act for. */
const roles: Partial<Record<Caller, CallerRole>> = {
  "an API key": "api_key",
  "an API key with a foreign X-Business-Id": "api_key",
  "a dispatcher": "dispatcher",
  "an accountant": "accountant",
  "a viewer": "viewer",
  "a viewer of one and owner of another": "viewer"
}

/** The expectation for a caller on a route that accepts that kind of caller. The access table may refuse the caller too. */
export const expectedOf = (caller: Caller, callerKind: CallerKind, { permission }: Route): Cell => {
  const row: Row = expectations[caller]
  const expected = row[callerKind]
  if (expected !== served || !actsForBusiness(callerKind)) return expected
  return permission !== undefined && mayDo(roles[caller] ?? "owner", permission) ? served : forbidden
}
