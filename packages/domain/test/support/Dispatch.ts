/** The use cases of trips for operators and drivers, over the ports in memory. */
import {
  type ActingBusiness,
  type AssignmentReport,
  type AssignmentId,
  Assignments,
  Cryptography,
  DriverSet,
  DriverStatusReport,
  TripChanges,
  type TripId,
  TripInput,
  TripOverrides,
  Trips,
  Detaching
} from "@livery/domain"
import { Effect, Layer } from "effect"
import { decoded } from "./Decoding.ts"
import { tripPorts } from "./TripPorts.ts"
import { business } from "./People.ts"

export const acme = business(1, { timezone: "Europe/Zurich" })
export const zephyr = business(2)

const payload = (change: object) => ({
  trip_date: "2026-11-20T09:30:00",
  pickup_address: "Bahnhofplatz 1",
  dropoff_address: "Flughafen",
  customer_name: "Zoë",
  ...change
})

export const dispatch = Effect.gen(function* () {
  const memory = tripPorts()
  const context = yield* Layer.build(
    Layer.mergeAll(Trips.layer, Assignments.layer, Detaching.layer).pipe(
      Layer.provide(Layer.merge(memory.layer, Cryptography.layerWebCrypto))
    )
  )
  const run = <A, E>(effect: Effect.Effect<A, E, Trips | Assignments | Detaching>) =>
    Effect.provide(effect, context)
  const report = (
    assignment: number,
    change: AssignmentReport,
    mover: "driver" | "operator" = "driver",
    acting: ActingBusiness = acme
  ) => run(Assignments.use((it) => it.report(acting, assignment as AssignmentId, change, mover)))
  return {
    ...memory,
    run,
    create: (change: object = {}, acting = acme) =>
      run(Trips.use((it) => it.create(acting, decoded(TripInput, payload(change))))),
    get: (id: number, acting = acme) => run(Trips.use((it) => it.get(acting, id as TripId))),
    update: (id: number, change: object, acting = acme) =>
      run(Trips.use((it) => it.update(acting, id as TripId, decoded(TripChanges, change)))),
    remove: (id: number, force = false, acting = acme) =>
      run(Trips.use((it) => it.remove(acting, id as TripId, { force }))),
    duplicate: (id: number, change: object = {}, acting = acme) =>
      run(Trips.use((it) => it.duplicate(acting, id as TripId, decoded(TripOverrides, change)))),
    reopen: (id: number, acting = acme) =>
      run(Trips.use((it) => it.reopen(acting, id as TripId, { reason: "By mistake", force: false }))),
    timeline: (id: number, acting = acme) =>
      run(Trips.use((it) => it.timeline(acting, id as TripId, { page: 1, perPage: 25 }))),
    assign: (id: number, driver_ids: ReadonlyArray<number>, force = false, acting = acme) =>
      run(
        Assignments.use((it) => it.assign(acting, id as TripId, decoded(DriverSet, { driver_ids, force })))
      ),
    report,
    reportFor: (id: number, change: object, acting = acme) =>
      run(Assignments.use((it) => it.reportFor(acting, id as TripId, decoded(DriverStatusReport, change)))),
    /** The types of the events since the last call. */
    newEvents: () => memory.events.splice(0).map(({ type }) => type)
  }
})

/** The wrong fields of an error, each with its issue. */
export const issuesIn = (refusal: { readonly _tag: string; readonly issues?: unknown }) =>
  refusal._tag === "InvalidInput" && Array.isArray(refusal.issues)
    ? refusal.issues.map(({ field, issue }) => `${String(field)} ${String(issue)}`)
    : [refusal._tag]

/** The records that a `ConfirmationRequired` names. */
export const stakesIn = (refusal: { readonly _tag: string; readonly atStake?: unknown }) =>
  refusal._tag === "ConfirmationRequired" ? refusal.atStake : refusal._tag
