/** Admits drivers to their routes: by their account, or by the token of one assignment. */
import { Context, Effect, Redacted } from "effect"
import {
  type ActingDriver,
  actingDriver,
  type AssignedDriver,
  CurrentActor,
  DriverTokens
} from "@livery/domain"
import { CurrentAssignedDriver, CurrentDriver } from "@livery/contract"
import { type Admission, type AdmissionRequest, callerOf, driverActor, tenantOf } from "./AdmissionRequest.ts"
import { makeCredentialChecks } from "./CredentialChecks.ts"
import { headerOf } from "../request/IncomingRequest.ts"
import { limit, RateLimits } from "./RateLimits.ts"

/** The admissions of drivers. Each returns an `Exit` if it did not have to wait. */
export const makeDriverAdmissions = Effect.gen(function* () {
  const { countRefusal, driversOf, principalOf } = yield* makeCredentialChecks
  const driverTokens = yield* DriverTokens
  const limits = yield* RateLimits

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
          actingDriver(principal, driversOf, headerOf(admissionRequest.request, "x-business-id")),
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

  /** A driver without an account, on the assignment of a token. */
  const admitAssigned = (admissionRequest: AdmissionRequest, driver: AssignedDriver) =>
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

  const driverOf = ({ credential }: AdmissionRequest) =>
    driverTokens.driver({ _tag: "DriverToken", token: Redacted.make(credential) })

  /** Admits the driver of a token once the token was looked up. */
  const lookedUp = (admissionRequest: AdmissionRequest) =>
    countRefusal(
      admissionRequest,
      Effect.flatMapEager(driverOf(admissionRequest), (driver) => admitAssigned(admissionRequest, driver))
    )

  /**
   * A driver without an account, by the token of one assignment. On a route with the trait `provenBy`, a remembered token is
   * not looked up before the handler runs, but by `state.verify` before any response that does not prove the token valid.
   */
  const driverToken = (admissionRequest: AdmissionRequest) => {
    const { credential, request, state } = admissionRequest
    if (state.traits.provenBy === undefined || headerOf(request, "idempotency-key") !== undefined)
      return lookedUp(admissionRequest)
    const driver = driverTokens.remembered(credential)
    if (driver === undefined) return lookedUp(admissionRequest)
    state.verify = countRefusal(admissionRequest, driverOf(admissionRequest)).pipe(
      // The log line of a refused credential names no business.
      Effect.tapError(() => Effect.sync(() => (state.businessId = undefined)))
    )
    return admitAssigned(admissionRequest, driver)
  }

  return { driver, driverToken }
})
