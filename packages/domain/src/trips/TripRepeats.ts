/** Repeating a trip by a rule, and copying a day (docs/api/trips.md). */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import { BusinessRepository } from "../business/BusinessRepository.ts"
import { Conflict, invalidField, orNotFound } from "../kernel/Errors.ts"
import * as Value from "../kernel/fields/Value.ts"
import type { TripId } from "../kernel/Ids.ts"
import { withinRange } from "../kernel/time/DateRange.ts"
import { dayCount } from "../kernel/time/Day.ts"
import { endOfDay, instantOf, isExpressible, startOfDay, wallClock } from "../kernel/time/WallClock.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { TripUnitOfWork } from "./changes/TripUnitOfWork.ts"
import { recurrenceOf, repeatedDays } from "./groups/Recurrence.ts"
import { type DayCopy, maxCopies, maxRepeatedDays, type TripRepetition } from "./groups/TripRepetition.ts"
import { DispatchBoardRepository } from "./lists/DispatchBoardRepository.ts"
import type { Trip } from "./trip/Trip.ts"
import { TripCharges } from "./trip/TripCharges.ts"
import { draftOfCopy } from "./trip/TripEdit.ts"
import type { TripOverrides } from "./trip/TripInput.ts"
import { TripRepository } from "./trip/TripRepository.ts"
import { makeBookTrip } from "./TripCreation.ts"

/** The day and the time of a pickup on the clock of its place. */
const pickupOf = ({ pickup_timezone, trip_date }: Trip, timezone: string) => {
  const zone = pickup_timezone ?? timezone
  const [day = "", time = ""] = wallClock(trip_date, zone).split(" ")
  return { day, time, zone }
}

export class TripRepeats extends Context.Service<TripRepeats>()("@livery/domain/TripRepeats", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const trips = yield* TripRepository
    const board = yield* DispatchBoardRepository
    const unitOfWork = yield* TripUnitOfWork
    const charges = yield* TripCharges
    const businesses = yield* BusinessRepository
    const book = yield* makeBookTrip

    /** Books a copy on another day, at the same time on the clock of the pickup. */
    const copyTo = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      trip: Trip,
      day: string,
      { force, ...more }: Pick<TripOverrides, "group_id"> & { readonly force: boolean }
    ) {
      const { time, zone } = pickupOf(trip, acting.timezone)
      const at = instantOf(`${day}T${time}`, zone)
      if (!isExpressible(at)) return yield* invalidField("to", "out_of_range")
      const overrides: TripOverrides = { ...more, trip_date: Value.instant.toWire(at) }
      return yield* book(acting, draftOfCopy(acting, trip, overrides), { force, sent: overrides })
    })

    return {
      /**
       * Books copies of a trip on the days of a rule, without the business's holidays if these are to be skipped, at the same time on the clock of the pickup, also when clocks
       * change. The trip and its copies share a group, by which they are moved or cancelled (`TripGroups`). All copies are
       * made, or none; each has the price of the trip and no drivers. `InvalidInput` for a rule without a further day,
       * for more than {@link maxCopies} copies and for a time of more than {@link maxRepeatedDays} days;
       * `ConfirmationRequired` for a clash of the car, as in `Trips.create`.
       */
      repeat: traced("TripRepeats.repeat")(function* (
        acting: ActingBusiness,
        tripId: TripId,
        { except = [], force, holidays = "keep", rrule, until }: TripRepetition
      ) {
        return yield* atomically(transaction, function* () {
          const stored = yield* orNotFound("trip")(yield* trips.find(acting.business_id, tripId))
          const trip = yield* charges.withoutFinalPrice(stored)
          const pickup = pickupOf(trip, acting.timezone)
          const span = dayCount(pickup.day, until)
          if (span < 2 || span > maxRepeatedDays) return yield* invalidField("until", "out_of_range")
          const skipped = new Set(except)
          const ofRule = Option.match(recurrenceOf(rrule), {
            onNone: () => [],
            onSome: (rule) => repeatedDays(rule, pickup, until).filter((one) => !skipped.has(one))
          })
          const ranges = holidays === "keep" ? [] : yield* businesses.holidays(acting.business_id)
          const within = ranges.map(withinRange)
          const isHoliday = (one: string) => within.some((has) => has(one))
          const days = ofRule.filter((one) => !isHoliday(one))
          if (days.length === 0) return yield* invalidField("rrule", "out_of_range")
          if (days.length > maxCopies) return yield* invalidField("until", "out_of_range")
          const group_id = trip.group_id ?? `repeated ${trip.reference}`
          const copies = yield* Effect.forEach(days, (one) => copyTo(acting, trip, one, { group_id, force }))
          if (trip.group_id === null) {
            // Locked after the cars and customers of the copies, as in every other change.
            const before = yield* unitOfWork.lock(acting, tripId)
            if (before.group_id !== null)
              return yield* new Conflict({
                reason: "The trip joined a group in the meantime; repeat it again",
                records: [{ type: "trip", trip_id: tripId }]
              })
            yield* unitOfWork.commit(acting, before, { ...before, group_id }, "operator")
          }
          return { group_id, trips: copies, skipped_holidays: ofRule.filter(isHoliday) }
        })
      }),

      /**
       * Books a copy of each trip of a day that is not cancelled on another day, at the same time on the clock of its
       * pickup, all or none, without drivers. `InvalidInput` for the same day, and for a day with no trip or with more than
       * {@link maxCopies}; `ConfirmationRequired` for a clash of a car, as in `Trips.create`.
       */
      copyDay: traced("TripRepeats.copyDay")(function* (
        acting: ActingBusiness,
        { force, from, to }: DayCopy
      ) {
        if (from === to) return yield* invalidField("to", "invalid")
        const { business_id, timezone } = acting
        return yield* atomically(transaction, function* () {
          const [starts, before] = [startOfDay(from, timezone), endOfDay(from, timezone)]
          const page = yield* board.jobs(
            business_id,
            { from: starts, before },
            { page: 1, perPage: 2 * maxCopies }
          )
          // The board also has the trips that began the day before and are still under way.
          const ofDay = page.items.filter(({ trip }) => !DateTime.isLessThan(trip.trip_date, starts))
          if (ofDay.length === 0) return yield* invalidField("from", "not_found")
          if (page.hasMore || ofDay.length > maxCopies) return yield* invalidField("from", "too_long")
          return yield* Effect.forEach(ofDay, ({ trip }) =>
            Effect.flatMap(charges.withoutFinalPrice(trip), (copied) => copyTo(acting, copied, to, { force }))
          )
        })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TripRepeats, TripRepeats.make).pipe(
    Layer.provide(TripUnitOfWork.layer)
  )
}
