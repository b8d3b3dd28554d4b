/** The driver that a signed-in user acts as, resolved from the credential (docs/api/driving.md). */
import { Effect } from "effect"
import { type ActingBusiness, requireActive } from "../../business/Business.ts"
import {
  type AccountSuspended,
  type BusinessRequired,
  Forbidden,
  type InvalidInput
} from "../../kernel/Errors.ts"
import type { UserId } from "../../kernel/Ids.ts"
import type { ActingDriver } from "../users/ActingDriver.ts"
import { chosenBusiness } from "./Authentication.ts"
import type { BearerPrincipal } from "./Principal.ts"

const drivingAs = (
  drivers: ReadonlyArray<ActingDriver>,
  requested: string | undefined
): Effect.Effect<ActingDriver, Forbidden | BusinessRequired | InvalidInput | AccountSuspended> => {
  if (drivers.length === 0)
    return Effect.fail(new Forbidden({ reason: "This account is not a driver of any business" }))
  const businesses = drivers.map(({ business }) => business)
  const drivingFor = (chosen: ActingBusiness): Effect.Effect<ActingDriver, Forbidden | AccountSuspended> => {
    const driver = drivers.find(({ business }) => business.business_id === chosen.business_id)
    if (driver === undefined)
      return Effect.fail(new Forbidden({ reason: "This account is not a driver of that business" }))
    return Effect.as(requireActive(driver.business), driver)
  }
  return Effect.flatMapEager(chosenBusiness(businesses, requested), drivingFor)
}

/**
 * The driver's record of a principal's account: the only one that `driversOf` returns, or the one in the requested business,
 * chosen as the acting business is. `Forbidden` for an API key and for an account without a driver's record;
 * `AccountSuspended` if the business is suspended.
 */
export const actingDriver = (
  principal: BearerPrincipal,
  driversOf: (userId: UserId) => Effect.Effect<ReadonlyArray<ActingDriver>>,
  requested: string | undefined
): Effect.Effect<ActingDriver, Forbidden | BusinessRequired | InvalidInput | AccountSuspended> => {
  if (principal._tag === "ApiKey")
    return Effect.fail(new Forbidden({ reason: "This needs a signed-in driver; an API key is not enough" }))
  return Effect.flatMapEager(driversOf(principal.user.user_id), (drivers) => drivingAs(drivers, requested))
}
