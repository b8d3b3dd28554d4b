/**
 * The inputs of the final fare of a trip that has ended: the quoted inputs plus the facts of the ride. Waiting and a
 * no-show follow from its milestones, a late cancellation from its time; the distance remains the quoted one.
 */
import { DateTime } from "effect"
import { localDay } from "../../kernel/time/WallClock.ts"
import type { Milestone, MilestoneReached } from "../../trips/trip/Milestone.ts"
import type { Trip } from "../../trips/trip/Trip.ts"
import { isTimed } from "../engine/BasePrice.ts"
import type { CancellationNotice, FareInputs, FareOutcome } from "../engine/FareInputs.ts"

/** The facts of a trip that affect its price: `tolls_minor` are tolls at cost, `waiting_minutes` the waiting that is charged at least. */
export interface TripFacts {
  readonly trip_date: DateTime.Utc
  readonly status: Trip["status"]
  readonly cancel_reason: Trip["cancel_reason"]
  readonly cancelled_by: Trip["cancelled_by"]
  readonly cancelled_at: DateTime.Utc | null
  readonly completed_at: DateTime.Utc | null
  readonly milestones: ReadonlyArray<Pick<MilestoneReached, "milestone" | "at">>
  readonly waiting_minutes: number
  readonly tolls_minor: number
}

/** The facts of a trip. If it has several drivers, the earliest milestone of each kind counts. */
export const tripFacts = (trip: Trip): TripFacts => ({
  trip_date: trip.trip_date,
  status: trip.status,
  cancel_reason: trip.cancel_reason,
  cancelled_by: trip.cancelled_by,
  cancelled_at: trip.cancelled_at,
  completed_at: trip.completed_at,
  milestones: trip.drivers.flatMap(({ milestones }) => milestones),
  waiting_minutes: trip.waiting_minutes ?? 0,
  tolls_minor: trip.tolls_minor ?? 0
})

const millisAMinute = 60_000

const minutesBetween = (from: DateTime.Utc, to: DateTime.Utc) =>
  (to.epochMilliseconds - from.epochMilliseconds) / millisAMinute

const earliest = ({ milestones }: TripFacts, ...wanted: ReadonlyArray<Milestone>): DateTime.Utc | null =>
  milestones
    .filter(({ milestone }) => wanted.includes(milestone))
    .reduce<DateTime.Utc | null>((first, { at }) => (first === null ? at : DateTime.min(first, at)), null)

/**
 * The cancellation reasons that are charged, and those that are not. For all others it depends on who cancelled the
 * trip.
 */
const chargedReasons: ReadonlySet<Trip["cancel_reason"]> = new Set(["customer_request", "late_cancel"])
const waivedReasons: ReadonlySet<Trip["cancel_reason"]> = new Set(["operator", "no_driver", "duplicate"])

/**
 * The outcome of a trip for its customer. It is a no-show if it was cancelled as one, or if a driver reported one and
 * no passenger boarded. A cancellation by the customer is charged; one by the business is waived.
 */
export const outcomeOf = (facts: TripFacts): FareOutcome => {
  const { cancel_reason, cancelled_by, status } = facts
  if (status === "cancelled") {
    if (cancel_reason === "no_show") return "no_show"
    if (waivedReasons.has(cancel_reason)) return "waived"
    return chargedReasons.has(cancel_reason) || cancelled_by === "customer" ? "cancelled" : "waived"
  }
  const boarded = earliest(facts, "passenger_on_board") !== null
  return !boarded && earliest(facts, "no_show") !== null ? "no_show" : "ride"
}

/**
 * The waiting time that the reports show: from the driver's arrival, but not before the pickup time, until the passenger boarded or the
 * driver reported a no-show.
 */
const waitingOf = (facts: TripFacts) => {
  const arrived = earliest(facts, "arrived_at_pickup")
  const ended = earliest(facts, "passenger_on_board", "no_show")
  if (arrived === null || ended === null) return 0
  return Math.max(0, Math.floor(minutesBetween(DateTime.max(arrived, facts.trip_date), ended)))
}

const dayMillisOf = (at: DateTime.Utc, timezone: string) => Date.parse(localDay(at, timezone))

const noticeOf = ({ cancelled_at, trip_date }: TripFacts, timezone: string): CancellationNotice | null =>
  cancelled_at === null
    ? null
    : {
        minutes: Math.floor(minutesBetween(cancelled_at, trip_date)),
        days:
          (dayMillisOf(trip_date, timezone) - dayMillisOf(cancelled_at, timezone)) / (1440 * millisAMinute)
      }

/**
 * The duration: from the pickup time to the end, a started minute counted as a whole one, and at least the booked time.
 */
const timeTaken = (booked: number | null, { completed_at, trip_date }: TripFacts) =>
  completed_at === null
    ? booked
    : Math.max(booked ?? 0, Math.ceil(minutesBetween(trip_date, completed_at)), 1)

/**
 * The inputs of the final fare, from the quoted inputs and the facts; `timezone` is the business's. Trips that are
 * priced by time have no separate waiting, because their time starts at the pickup time.
 */
export const finalInputs = (quoted: FareInputs, facts: TripFacts, timezone: string): FareInputs => {
  const outcome = outcomeOf(facts)
  const timed = isTimed(quoted.trip_type)
  return {
    ...quoted,
    outcome,
    notice: outcome === "cancelled" ? noticeOf(facts, timezone) : null,
    waiting_minutes: timed ? 0 : Math.max(facts.waiting_minutes, waitingOf(facts)),
    tolls_minor: facts.tolls_minor,
    duration_minutes:
      timed && outcome === "ride" ? timeTaken(quoted.duration_minutes, facts) : quoted.duration_minutes
  }
}
