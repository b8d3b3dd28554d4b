/** The use cases of drivers' absences (docs/api/fleet.md). */
import { Context, DateTime, Effect, Layer } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import { ConfirmationRequired, InvalidInput, orNotFound, refuseIssues } from "../../kernel/Errors.ts"
import type { DriverId } from "../../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../../kernel/Page.ts"
import { instantOf } from "../../kernel/time/WallClock.ts"
import { atomically, Transaction } from "../../kernel/Transaction.ts"
import { ScheduleRepository } from "../../trips/schedule/ScheduleRepository.ts"
import {
  type AbsenceFilter,
  type AbsenceInput,
  absenceRecord,
  type AbsenceRemoval,
  type AbsencesQuery,
  absenceWarnings,
  windowsOfInput
} from "./Absence.ts"
import { AbsenceRepository } from "./AbsenceRepository.ts"
import { searchIssues } from "./FreeDriver.ts"
import { DriverRepository } from "../drivers/DriverRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"

/** An error names at most this many trips. */
const maxNamedTrips = 100

/** `NotFound` if the driver is absent or another business's. */
export class Absences extends Context.Service<Absences>()("@livery/domain/Absences", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const drivers = yield* DriverRepository
    const absences = yield* AbsenceRepository
    const schedules = yield* ScheduleRepository

    const requireDriver = orNotFound("driver")

    return {
      /**
       * Adds an absence, and its repetitions. The warnings name the driver's trips at these times, unless the clash
       * policy is `off`. `ConfirmationRequired` with them if the business enforces its clash policy, unless `force` is
       * true. With that policy, if an absence and a trip are added for the same time at once, the later request sees
       * the result of the earlier.
       */
      add: traced("Absences.add")(function* (
        { business_id, timezone }: ActingBusiness,
        driverId: DriverId,
        input: AbsenceInput
      ) {
        const { issues, windows } = windowsOfInput(input, timezone)
        const [first] = windows
        const ends = windows
          .map((window) => window.ends)
          .reduce(DateTime.max, first?.ends ?? DateTime.makeUnsafe(0))
        return yield* atomically(transaction, function* () {
          yield* requireDriver(yield* drivers.lock(business_id, driverId))
          if (first === undefined || issues.length > 0) return yield* new InvalidInput({ issues })
          const { clash_policy } = yield* schedules.policy(business_id)
          if (clash_policy === "enforce")
            yield* schedules.lock(business_id, { driverIds: [driverId], carIds: [] })
          const busy =
            clash_policy === "off"
              ? []
              : yield* drivers.busyWindows(business_id, driverId, { starts: first.starts, ends })
          const added = yield* absences.insert(business_id, driverId, input, windows, yield* DateTime.now)
          const warnings = absenceWarnings(added, busy)
          if (clash_policy === "enforce" && !input.force && warnings.length > 0)
            return yield* new ConfirmationRequired({
              reason: "The driver has trips at that time",
              // The absence is not stored, so its id would name nothing.
              atStake: warnings.slice(0, maxNamedTrips).map(({ absence_id: _absent, ...warning }) => warning)
            })
          return { absences: added.map(absenceRecord), warnings }
        })
      }),

      /** A page of a driver's absences, the earliest first. */
      list: traced("Absences.list")(function* (
        { business_id, timezone }: ActingBusiness,
        driverId: DriverId,
        { from, to }: AbsenceFilter,
        page: PageRequest
      ) {
        yield* requireDriver(yield* drivers.find(business_id, driverId))
        const instant = (text: string | undefined) =>
          text === undefined ? undefined : instantOf(text, timezone)
        return mapPage(
          yield* absences.list(business_id, driverId, { from: instant(from), to: instant(to) }, page),
          absenceRecord
        )
      }),

      /**
       * A page of the absences of all drivers in a time, the earliest first. `InvalidInput` unless the time ends after it
       * starts and lasts at most 31 days.
       */
      during: traced("Absences.during")(function* (
        { business_id, timezone }: ActingBusiness,
        { from, to }: AbsencesQuery,
        page: PageRequest
      ) {
        const window = { starts: instantOf(from, timezone), ends: instantOf(to, timezone) }
        yield* refuseIssues(searchIssues({ window }))
        return mapPage(yield* absences.during(business_id, window, page), absenceRecord)
      }),

      /** Removes absences of a driver, all or none. `InvalidInput` names those that the driver does not have. */
      remove: traced("Absences.remove")(function* (
        { business_id }: ActingBusiness,
        driverId: DriverId,
        { absence_ids }: AbsenceRemoval
      ) {
        yield* atomically(transaction, function* () {
          yield* requireDriver(yield* drivers.lock(business_id, driverId))
          const existing = yield* absences.find(business_id, driverId, absence_ids)
          const existingIds = new Set(existing.map(({ absence_id }) => absence_id))
          const issues = absence_ids.flatMap((id, index) =>
            existingIds.has(id) ? [] : [{ field: `absence_ids.${index}`, issue: "not_found" as const }]
          )
          yield* refuseIssues(issues)
          yield* absences.remove(business_id, absence_ids)
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Absences, Absences.make)
}
