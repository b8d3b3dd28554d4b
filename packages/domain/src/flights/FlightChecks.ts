/** Following the flights of arriving passengers (docs/api/flights.md). */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { localDay, rfc3339 } from "../kernel/time/WallClock.ts"
import { TripUnitOfWork } from "../trips/changes/TripUnitOfWork.ts"
import { checksOfChange } from "../trips/changes/TripRules.ts"
import { flightKey } from "../trips/lists/TripSearch.ts"
import { makeCheckTrip } from "../trips/schedule/Clashes.ts"
import type { FlightEffect, FlightStatus } from "../trips/trip/FlightStatus.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import { TripRepository } from "../trips/trip/TripRepository.ts"
import { isOpenTrip } from "../trips/trip/TripStatus.ts"
import { arrivalAmong, pickupOf } from "./FlightPickup.ts"
import { type FlightCheck, FlightRepository, type FollowingBusiness } from "./FlightRepository.ts"
import { type FlightReport, FlightSource, FlightsUnavailable } from "./FlightSource.ts"

/** From when before a pickup, and until when after it, its flight is looked up. */
const [longestBefore, longestAfter] = [Duration.hours(3), Duration.hours(6)]

/** The most flights of a business that one round looks up, and how many at a time. */
const [perRound, atOnce] = [100, 4]

const timeout = Duration.seconds(10)

/** The longest time after a failure until a flight is looked up again. */
const longestBackoffMinutes = 30

const textOrNull = (at: DateTime.Utc | null) => (at === null ? null : rfc3339(at))

const isSameStatus = (one: FlightStatus | null, other: FlightStatus) =>
  one !== null && JSON.stringify({ ...one, checked_at: "" }) === JSON.stringify({ ...other, checked_at: "" })

/** Whether the passenger was met, so that the pickup is over. */
const isMet = ({ drivers }: Trip) =>
  drivers.some(({ milestones }) =>
    milestones.some(({ milestone }) => milestone === "passenger_on_board" || milestone === "no_show")
  )

export class FlightChecks extends Context.Service<FlightChecks>()("@livery/domain/FlightChecks", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const flights = yield* FlightRepository
    const trips = yield* TripRepository
    const unitOfWork = yield* TripUnitOfWork
    const checkTrip = yield* makeCheckTrip
    const find = yield* FlightSource

    /** The reports on the day of the pickup, or else on the day before: an arrival after midnight may have left then. */
    const reportOf = Effect.fnUntraced(function* (
      ask: NonNullable<typeof find>,
      flight: string,
      bookedFor: DateTime.Utc,
      timezone: string
    ) {
      for (const at of [bookedFor, DateTime.subtract(bookedFor, { days: 1 })]) {
        const reports = yield* ask({ flight, day: localDay(at, timezone) }).pipe(
          Effect.timeoutOrElse({
            duration: timeout,
            orElse: () => Effect.fail(new FlightsUnavailable({ reason: "it took too long" }))
          })
        )
        const report = arrivalAmong(reports, bookedFor)
        if (report !== undefined) return report
      }
      return undefined
    })

    /** The trip with a report of its flight. It moves unless that clashes where the business enforces its policy. */
    const follow = Effect.fnUntraced(function* (
      { acting, settings }: FollowingBusiness,
      before: Trip,
      check: FlightCheck,
      report: FlightReport
    ) {
      const bookedFor = check.booked_for ?? before.trip_date
      const isByHand = !DateTime.Equivalence(before.trip_date, check.set_to ?? bookedFor)
      const pickup = pickupOf(report, bookedFor, settings)
      const withStatus = (trip: Trip, effect: FlightEffect, now: DateTime.Utc): Trip => {
        const status: FlightStatus = {
          flight: flightKey(before.flight_number ?? ""),
          state: report.state,
          scheduled: textOrNull(report.scheduled),
          estimated: textOrNull(report.estimated),
          landed: textOrNull(report.landed),
          terminal: report.terminal,
          gate: report.gate,
          pickup: effect,
          booked_pickup: rfc3339(bookedFor),
          checked_at: rfc3339(now)
        }
        return isSameStatus(before.flight_status, status) ? trip : { ...trip, flight_status: status }
      }
      const now = yield* DateTime.now
      const isMoved = pickup !== undefined && !DateTime.Equivalence(pickup.at, before.trip_date)
      if (isByHand) return withStatus(before, "kept", now)
      const isShifted = !DateTime.Equivalence(pickup?.at ?? before.trip_date, bookedFor)
      const effect = pickup?.isLimited === true ? "limited" : isShifted ? "moved" : "unchanged"
      if (!isMoved || isMet(before)) return withStatus(before, effect, now)
      const moved = withStatus({ ...before, trip_date: pickup.at }, effect, now)
      return yield* checkTrip(acting.timezone, moved, checksOfChange(before, moved), false).pipe(
        Effect.as(moved),
        Effect.catchTag("ConfirmationRequired", () => Effect.succeed(withStatus(before, "clash", now)))
      )
    })

    /** Stores a report with the trip, in one transaction under the lock of the trip. */
    const store = (business: FollowingBusiness, asked: Trip, report: FlightReport) =>
      atomically(transaction, function* () {
        const { acting } = business
        const before = yield* unitOfWork.lock(acting, asked.trip_id)
        const check = yield* flights.check(acting.business_id, asked.trip_id)
        // The trip ended, or has another flight meanwhile.
        if (check === undefined || !isOpenTrip(before.status) || before.flight_number !== asked.flight_number)
          return
        const wanted = yield* follow(business, before, check, report)
        yield* unitOfWork.commit(acting, before, wanted, "system")
        const isMoved = !DateTime.Equivalence(wanted.trip_date, before.trip_date)
        const now = yield* DateTime.now
        yield* flights.record(
          acting.business_id,
          {
            ...check,
            booked_for: check.booked_for ?? before.trip_date,
            set_to: isMoved ? wanted.trip_date : check.set_to,
            failures: 0
          },
          report.landed === null ? DateTime.add(now, { minutes: business.settings.check_minutes }) : null
        )
      }).pipe(Effect.catchTag("NotFound", () => Effect.void))

    const checkOne = Effect.fnUntraced(function* (
      business: FollowingBusiness,
      ask: NonNullable<typeof find>,
      check: FlightCheck
    ) {
      const { acting, settings } = business
      const trip = Option.getOrUndefined(yield* trips.find(acting.business_id, check.trip_id))
      if (trip === undefined || trip.flight_number === null) return
      const zone = trip.pickup_timezone ?? acting.timezone
      const flight = flightKey(trip.flight_number)
      yield* reportOf(ask, flight, check.booked_for ?? trip.trip_date, zone).pipe(
        Effect.flatMap((report) => (report === undefined ? Effect.void : store(business, trip, report))),
        Effect.catchTag("FlightsUnavailable", ({ reason }) =>
          Effect.gen(function* () {
            const failures = check.failures + 1
            const minutes = Math.min(settings.check_minutes * 2 ** failures, longestBackoffMinutes)
            const now = yield* DateTime.now
            yield* flights.record(acting.business_id, { ...check, failures }, DateTime.add(now, { minutes }))
            yield* Effect.logWarning("the status of a flight could not be read", { flight, reason })
          })
        )
      )
    })

    return {
      /**
       * Looks up the flights of a business that are due, and moves the pickups of their trips. Several nodes may do so at
       * once: each flight is claimed by one, and each move is made once. Without a service of flight status, it does nothing.
       */
      checkDue: traced("FlightChecks.checkDue")(function* (business: FollowingBusiness) {
        if (find === undefined) return
        const now = yield* DateTime.now
        const claimed = yield* flights.claim(business.acting.business_id, {
          now,
          from: DateTime.subtractDuration(now, longestAfter),
          until: DateTime.addDuration(now, longestBefore),
          dueAgain: DateTime.add(now, { minutes: business.settings.check_minutes }),
          limit: perRound
        })
        yield* Effect.forEach(claimed, (check) => checkOne(business, find, check), {
          concurrency: atOnce,
          discard: true
        })
      }),

      /** The businesses that follow flights and come after that id. */
      businesses: (after: BusinessId | null, limit: number) => flights.businesses(after, limit)
    }
  })
}) {
  static readonly layer = Layer.effect(FlightChecks, FlightChecks.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}
