/** A plan of assignments: the request, and the drivers that it proposes (docs/api/trips.md). */
import { type DateTime, Schema } from "effect"
import { between } from "../kernel/fields/FieldIssue.ts"
import { listOf } from "../kernel/fields/List.ts"
import { omittable, yesOrNo } from "../kernel/fields/Optional.ts"
import * as Value from "../kernel/fields/Value.ts"
import { type DriverId, TripId } from "../kernel/Ids.ts"
import { CalendarDay, Timestamp } from "../kernel/time/WallClock.ts"
import { versionOf } from "../trips/assignments/AssignmentBatch.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import type {
  PlanCandidate,
  PlanCost,
  PlannedJob,
  PlanProblem,
  PlanSolution,
  PlanWeights,
  UnplannedJob
} from "./PlanProblem.ts"

/** The most jobs of a plan. It is also the most entries of a batch of assignments, which takes the plan. */
export const maxPlannedJobs = 600

/** The longest time that a plan covers, in hours: a day that has 25, and some more. */
export const maxPlanHours = 48

/** The default weights. A trip without a driver costs more than any drive. */
export const defaultWeights: PlanWeights = {
  empty_km: 1,
  unassigned: 1000,
  change: 5,
  preference: 10,
  balance: 0
}

const weight = (description: string) =>
  omittable(Schema.Finite.check(between(0, 100_000)).annotate({ description }))

const Weights = Schema.Struct({
  empty_km: weight("What a kilometre without a passenger costs; 1 by default."),
  unassigned: weight("What a trip without a driver costs; 1000 by default."),
  change: weight("What it costs to replace a driver who has the trip already; 5 by default."),
  preference: weight(
    "What it costs if a customer who prefers some drivers gets another one; 10 by default. A refused driver gets no trip of the customer."
  ),
  balance: weight(
    "What unequal work costs: this number times the square of each driver's hours in the plan; 0 by default."
  )
})

const dispatchPlanRequest = Schema.Struct({
  date: omittable(CalendarDay.annotate({ description: "A day on the business's clock; today by default." })),
  from: omittable(Timestamp.annotate({ description: "The first pickup; with `to`, in place of `date`." })),
  to: omittable(Timestamp.annotate({ description: "The end of the time of the pickups, not included." })),
  locked: omittable(
    listOf(TripId, { most: maxPlannedJobs }).annotate({
      description: "Trips that stay as they are, with or without a driver."
    })
  ),
  reassign: yesOrNo(false).annotate({
    description: "Whether the plan may replace drivers who have not started; false by default."
  }),
  weights: omittable(Weights.annotate({ description: "What the plan avoids, in kilometres." })),
  seed: omittable(
    Value.wholeNumber(0, 2_147_483_647).optional.annotate({
      description: "The start of the random numbers: another seed may find another plan. 1 by default."
    })
  ),
  budget_ms: omittable(
    Value.wholeNumber(100, 10_000).optional.annotate({
      description: "The longest time of the search, in milliseconds; 2000 by default."
    })
  )
})
type DispatchPlanRequestStruct = typeof dispatchPlanRequest

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface DispatchPlanRequestSchema extends DispatchPlanRequestStruct {}

/** The body that asks for a plan. */
export const DispatchPlanRequest: DispatchPlanRequestSchema = dispatchPlanRequest
export type DispatchPlanRequest = typeof DispatchPlanRequest.Type

const id = Schema.Int
const metres = Schema.Int
const car = Schema.NullOr(id).annotate({ description: "The trip's car, or the driver's default car." })
const added = metres.annotate({
  description: "The metres without a passenger that the job adds to the driver's day."
})

const candidateFields = { driver_id: id, driver_name: Schema.String, car_id: car, added_m: added }

/** Why a plan gives a job to a driver. */
export const PlanReason = Schema.Literals(["only_driver", "preferred", "shortest", "best_together"]).annotate(
  {
    description:
      "`only_driver`: no other driver can take it. `preferred`: the customer prefers this driver. `shortest`: it adds the fewest metres to this driver's day. `best_together`: another " +
      "driver alone would add fewer, but all jobs together cost less so."
  }
)

/** Where a driver comes from before a job. */
export const PlanOrigin = Schema.Literals(["trip", "home", "unknown"]).annotate({
  description:
    "`trip`: from the end of the trip `after_trip_id`. `home`: from home. `unknown`: from a place that is not known, so the drive counts nothing."
})

const PlannedJobRecord = Schema.Struct({
  trip_id: id,
  ...candidateFields,
  reason: PlanReason,
  origin: PlanOrigin,
  after_trip_id: Schema.NullOr(id),
  empty_m: metres.annotate({ description: "The drive to the pickup." }),
  waiting_minutes: Schema.NullOr(Schema.Int).annotate({
    description: "The minutes since the end of the driver's job before, the drive included; null without one."
  }),
  candidates: Schema.Array(Schema.Struct(candidateFields)).annotate({
    description: "The next drivers who could take it beside their other jobs in this plan, at most three."
  })
})

const UnplannedJobRecord = Schema.Struct({
  trip_id: id,
  drivers: Schema.Struct({
    vehicle_class: Schema.Int,
    seats: Schema.Int,
    license: Schema.Int,
    absent: Schema.Int,
    busy: Schema.Int,
    refused: Schema.Int
  }).annotate({
    description:
      "The number of drivers by what keeps them from it: the class of their car, its seats, a licence that expires, an absence, " +
      "other trips that overlap or leave too little time for the drive, or the customer, who refuses them."
  })
})

const CostRecord = Schema.Struct({ assigned: Schema.Int, unassigned: Schema.Int, empty_m: metres })

const planSchema = Schema.Struct({
  from: Value.instant.wire,
  to: Value.instant.wire,
  seed: Schema.Int,
  steps: Schema.Int.annotate({ description: "The steps that the search made." }),
  assignments: Schema.Array(
    Schema.Struct({ trip_id: id, driver_ids: Schema.Array(id), if_version: Schema.String })
  ).annotate({
    description:
      "The changes of the plan. `POST /dispatch/assignments?refuse_clashes=true` takes them as they are, or some of them."
  }),
  jobs: Schema.Array(PlannedJobRecord),
  unassigned: Schema.Array(UnplannedJobRecord),
  before: CostRecord.annotate({ description: "As the trips are now." }),
  nearest_free: CostRecord.annotate({
    description: "If each trip in turn, the earliest first, had the nearest driver who is free."
  }),
  after: CostRecord.annotate({ description: "As planned." })
})
type DispatchPlanRecordStruct = typeof planSchema

/** The type of the schema below, with a name that declarations can use (see `kernel/fields/Field.ts`). */
export interface DispatchPlanRecordSchema extends DispatchPlanRecordStruct {}

/** A plan in a response. `assignments` is the body for `POST /dispatch/assignments`. */
export const DispatchPlanRecord: DispatchPlanRecordSchema = planSchema
export type DispatchPlanRecord = typeof DispatchPlanRecord.Type

const costRecord = ({ assigned, emptyMetres, unassigned }: PlanCost) => ({
  assigned,
  unassigned,
  empty_m: emptyMetres
})

const reasonOf = ({ addedMetres, candidates, isPreferred }: PlannedJob): typeof PlanReason.Type => {
  const [next] = candidates
  if (next === undefined) return "only_driver"
  if (isPreferred) return "preferred"
  return next.addedMetres < addedMetres ? "best_together" : "shortest"
}

const originOf = ({ after, isFromHome }: PlannedJob): typeof PlanOrigin.Type =>
  isFromHome ? "home" : after === null ? "unknown" : "trip"

const unplannedRecord = ({ obstacles, tripId }: UnplannedJob) => ({ trip_id: tripId, drivers: obstacles })

/** The record of a solution, with the names of drivers and the versions of the trips. */
export const dispatchPlanRecord = (
  { from, seed, to }: { readonly from: DateTime.Utc; readonly to: DateTime.Utc; readonly seed: number },
  { jobs }: PlanProblem,
  solution: PlanSolution,
  names: ReadonlyMap<DriverId, string>,
  trips: ReadonlyMap<TripId, Trip>
): DispatchPlanRecord => {
  const present = new Map(jobs.map(({ driverId, tripId }) => [tripId, driverId]))
  const candidate = ({ addedMetres, carId, driverId }: PlanCandidate) => ({
    driver_id: driverId,
    driver_name: names.get(driverId) ?? "",
    car_id: carId,
    added_m: addedMetres
  })
  return {
    from: Value.instant.toWire(from),
    to: Value.instant.toWire(to),
    seed,
    steps: solution.steps,
    assignments: solution.planned.flatMap(({ driverId, tripId }) => {
      const trip = trips.get(tripId)
      return trip === undefined || present.get(tripId) === driverId
        ? []
        : [{ trip_id: tripId, driver_ids: [driverId], if_version: versionOf(trip) }]
    }),
    jobs: solution.planned.map((job) => ({
      trip_id: job.tripId,
      ...candidate(job),
      reason: reasonOf(job),
      origin: originOf(job),
      after_trip_id: job.after,
      empty_m: job.emptyMetres,
      waiting_minutes: job.waitingMinutes,
      candidates: job.candidates.map(candidate)
    })),
    unassigned: solution.unplanned.map(unplannedRecord),
    before: costRecord(solution.before),
    nearest_free: costRecord(solution.nearestFree),
    after: costRecord(solution.after)
  }
}
