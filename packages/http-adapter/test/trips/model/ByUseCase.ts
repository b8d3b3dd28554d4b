/** Commands carried out by the use cases themselves. */
import {
  AssignmentReport,
  Assignments,
  BusinessId,
  CarChanges,
  CarId,
  CarInput,
  Cars,
  DriverChanges,
  DriverId,
  DriverInput,
  Drivers,
  DriverSet,
  DriverStatusReport,
  DriverTokens,
  DriverTrips,
  Forbidden,
  RateCounters,
  ConfirmationInput,
  CredentialCache,
  TripChanges,
  TripId,
  TripInput,
  TripOverrides,
  Trips,
  TripWatch,
  Detaching
} from "@livery/domain"
import type { ActingBusiness, ActingDriver, Currency, FieldIssue } from "@livery/domain"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer, Command } from "./Command.ts"
import type { Made } from "./State.ts"
import { requestOf } from "./Request.ts"
import { doneWith, keep, openBusiness, refusedWith, requestTrip, type Subject, Tokens } from "./Subject.ts"

/** The use cases that run commands. */
export const CommandUseCases = Layer.mergeAll(
  Trips.layer,
  Cars.layer,
  Drivers.layer,
  DriverTokens.layer,
  DriverTrips.layer.pipe(Layer.provideMerge(Assignments.layer))
).pipe(
  Layer.provideMerge(Layer.mergeAll(TripWatch.layer, Detaching.layer, CredentialCache.layer)),
  Layer.provide(RateCounters.layerMemory)
)

interface Refusal {
  readonly _tag: string
  readonly issues?: ReadonlyArray<FieldIssue>
}

const types: Readonly<Record<string, string>> = {
  NotFound: "not_found",
  InvalidInput: "invalid_request",
  IllegalTransition: "invalid_request",
  ConfirmationRequired: "confirmation_required",
  UsageLimitReached: "usage_limit_reached",
  PlanLimitExceeded: "plan_limit_exceeded",
  Unauthorized: "unauthorized",
  Forbidden: "forbidden",
  Conflict: "conflict"
}

const illegalStatus = [{ field: "status", issue: "illegal_transition" }]

const answerTo = (refusal: Refusal): Answer =>
  refusedWith(
    types[refusal._tag] ?? refusal._tag,
    refusal._tag === "IllegalTransition" ? illegalStatus : refusal.issues
  )

/** Decodes a body. A body that does not decode is a mistake in the test. */
const decoded =
  <A, I>(schema: Schema.Codec<A, I>) =>
  (body: unknown): A =>
    Schema.decodeUnknownSync(schema)(body)

/** A business whose commands the use cases run. */
export const byUseCase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [trips, assignments, cars, drivers, driverTrips, driverTokens] = yield* Effect.all([
    Trips,
    Assignments,
    Cars,
    Drivers,
    DriverTrips,
    DriverTokens
  ])
  const businessId = yield* openBusiness
  const acting: ActingBusiness = {
    business_id: BusinessId.make(businessId),
    business_name: "Model Cars",
    status: "A",
    currency: "USD" as Currency,
    timezone: "UTC"
  }
  const made: Made = { trips: [], drivers: [], cars: [] }
  const tokens = new Tokens()

  /** A signed-in user is a driver while the driver exists and is active. */
  const signedIn = Effect.fnUntraced(function* (place: number): Effect.fn.Return<ActingDriver, Forbidden> {
    const id = made.drivers[place] ?? 0
    const rows = yield* Effect.orDie(sql`
      SELECT FROM drivers WHERE business_id = ${businessId} AND driver_id = ${id} AND active AND deleted_at IS NULL`)
    if (rows.length === 0) return yield* new Forbidden({ reason: "This account drives for no business" })
    return { driver_id: DriverId.make(id), business: acting }
  })

  const carryOut = (command: Exclude<Command, { act: "request" }>): Effect.Effect<object, Refusal> => {
    const { asker, body, path } = requestOf(command, made)
    const id = Number(/\d+/u.exec(path)?.[0] ?? 0)
    const force = () => decoded(ConfirmationInput)(body)
    switch (command.act) {
      case "hire":
        return drivers.create(acting, decoded(DriverInput)(body))
      case "change driver":
        return drivers.update(acting, DriverId.make(id), decoded(DriverChanges)(body))
      case "dismiss":
        return drivers.remove(acting, DriverId.make(id), force())
      case "buy":
        return cars.create(acting, decoded(CarInput)(body))
      case "change car":
        return cars.update(acting, CarId.make(id), decoded(CarChanges)(body))
      case "sell":
        return cars.remove(acting, CarId.make(id), force())
      case "book":
        return trips.create(acting, decoded(TripInput)(body))
      case "duplicate":
        return trips.duplicate(acting, TripId.make(id), decoded(TripOverrides)(body))
      case "change":
      case "set status":
        return trips.update(acting, TripId.make(id), decoded(TripChanges)(body))
      case "delete":
        return trips.remove(acting, TripId.make(id), force())
      case "assign":
        return Effect.tap(assignments.assign(acting, TripId.make(id), decoded(DriverSet)(body)), (record) =>
          Effect.sync(() => tokens.keep(command.trip, made, record))
        )
      case "report": {
        const report = decoded(AssignmentReport)(body)
        switch (asker.as) {
          case "operator":
            return assignments.reportFor(acting, TripId.make(id), decoded(DriverStatusReport)(body))
          case "session":
            return Effect.flatMap(signedIn(asker.driver), (driver) =>
              driverTrips.report(driver, TripId.make(id), report)
            )
          case "token": {
            const token = Redacted.make(tokens.of(asker.trip, asker.driver))
            return Effect.flatMap(driverTokens.driver({ _tag: "DriverToken", token }), (driver) =>
              driverTrips.report(driver, driver.trip_id, report)
            )
          }
        }
      }
      case "set policy":
        return Effect.orDie(sql`
          UPDATE businesses SET clash_policy = ${command.policy} WHERE business_id = ${businessId}`)
    }
  }

  const subject: Subject = {
    businessId,
    made,
    run: (command) =>
      command.act === "request"
        ? Effect.provideService(requestTrip(businessId, made, command.slot), SqlClient.SqlClient, sql)
        : Effect.match(carryOut(command), {
            onFailure: answerTo,
            onSuccess: (result): Answer => {
              const record = result as Readonly<Record<string, unknown>>
              keep(made, command, record)
              return doneWith(made, record)
            }
          })
  }
  return subject
})
