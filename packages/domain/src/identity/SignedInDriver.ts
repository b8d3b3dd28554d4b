/**
 * Who drives (specification, Signed-in driver routes; Per-assignment driver token routes): resolved from the credential,
 * never from what a client says.
 */
import { Effect } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { AccountSuspended, type BusinessRequired, Forbidden, type InvalidInput } from "../kernel/Errors.ts"
import type { AssignmentId, DriverId, TripId } from "../kernel/Ids.ts"
import { chosenBusiness } from "./Authentication.ts"
import type { BearerPrincipal } from "./Principal.ts"

/** A driver at work, and the business it drives for. */
export interface ActingDriver {
  readonly driver_id: DriverId
  readonly business: ActingBusiness
}

/** A driver at work on one assignment, without an account. */
export interface AssignedDriver extends ActingDriver {
  readonly trip_id: TripId
  readonly assignment_id: AssignmentId
}

/**
 * The driver that a principal signs in as: the only driver's record of its account, or the one of the business that
 * `requested` names, as the acting business is chosen. An API key and an account that drives for nobody are
 * `Forbidden`; a suspended business is refused.
 */
export const actingDriver = Effect.fnUntraced(function* (
  principal: BearerPrincipal,
  requested: string | undefined
): Effect.fn.Return<ActingDriver, Forbidden | BusinessRequired | InvalidInput | AccountSuspended> {
  if (principal._tag === "ApiKey")
    return yield* new Forbidden({ reason: "This route serves drivers who have signed in" })
  const { drivers } = principal
  if (drivers.length === 0) return yield* new Forbidden({ reason: "This account drives for no business" })
  const chosen = yield* chosenBusiness(
    drivers.map(({ business }) => business),
    requested
  )
  const driver = drivers.find(({ business }) => business.business_id === chosen.business_id)
  if (driver === undefined) return yield* new Forbidden({ reason: "You may not drive for this business" })
  if (driver.business.status === "D") return yield* new AccountSuspended()
  return driver
})
