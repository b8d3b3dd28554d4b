/** The dispatch board of a business and its followers, over the ports in memory. */
import {
  type ActingBusiness,
  Assignments,
  type BoardJobRecord,
  type BoardCounts,
  boardCountsOf,
  BoardFilter,
  BoardWatch,
  type BusinessId,
  Cryptography,
  DispatchBoard,
  DispatchBoardRepository,
  DriverId,
  DriverLocationRepository,
  DriverSet,
  DriverStatusReport,
  TripChanges,
  type TripId,
  TripInput,
  Trips
} from "@livery/domain"
import { DateTime, Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { decoded } from "../support/Decoding.ts"
import { acme } from "../support/Dispatch.ts"
import { tripPorts } from "../support/TripPorts.ts"

/** A board with 5,000 jobs at most. */
const whole = { page: 1, perPage: 5000 }

export const followedBoard = Effect.gen(function* () {
  const memory = tripPorts()
  const calls = { jobs: 0, changes: 0 }
  let isAway: (id: BusinessId) => boolean = () => false
  const Counted = Layer.effect(
    DispatchBoardRepository,
    Effect.map(DispatchBoardRepository, (board) =>
      DispatchBoardRepository.of({
        jobs: (...query) => Effect.suspend(() => (calls.jobs++, board.jobs(...query))),
        changes: (businessIds, after) =>
          Effect.suspend(() => {
            calls.changes++
            return businessIds.some((id) => isAway(id))
              ? Effect.die(new Error("the node is away"))
              : board.changes(businessIds, after)
          })
      })
    )
  )
  const context = yield* Layer.build(
    Layer.mergeAll(Trips.layer, Assignments.layer, DispatchBoard.layer, BoardWatch.layer).pipe(
      Layer.provideMerge(Counted),
      Layer.provideMerge(Layer.merge(memory.layer, Cryptography.layerWebCrypto))
    )
  )
  const run = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideContext(effect, context as never) as Effect.Effect<A, E>

  /** The board as a request reads it, with the day as it is asked for. */
  const board = (filter: object = {}) =>
    run(DispatchBoard.use((it) => it.day(acme, decoded(BoardFilter, filter), whole)))

  const position = (driver_id: number, lat: number) =>
    run(
      Effect.gen(function* () {
        const locations = yield* DriverLocationRepository
        const recorded_at = yield* DateTime.now
        const place = { lat, lng: 8.5, accuracy: null, heading: null, speed: null, recorded_at }
        const reporter = {
          business_id: acme.business_id,
          driver_id: DriverId.make(driver_id),
          assignment_id: null,
          token_hash: null
        }
        yield* locations.record([{ reporter, positions: [place] }])
      })
    )

  /** A follower that keeps its copy of the board current as a screen does. */
  const follower = (filter: object = {}, acting: ActingBusiness = acme) => {
    const jobs = new Map<number, BoardJobRecord>()
    const news: Array<string> = []
    let counts: BoardCounts | undefined
    let lastId: string | undefined
    let connection: { scope: Scope.Closeable; fiber: Fiber.Fiber<void, unknown> } | undefined

    const connect = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const events = yield* run(
        BoardWatch.use((it) => it.follow(acting, decoded(BoardFilter, filter), lastId)).pipe(
          Scope.provide(scope)
        )
      )
      const fiber = yield* Stream.runForEach(
        events,
        Effect.fnUntraced(function* (event) {
          news.push(event.event === "gap" ? `gap ${event.data.reason}` : event.event)
          if (event.event === "gap") {
            const read = yield* board(filter)
            jobs.clear()
            for (const job of read.items) jobs.set(job.trip_id, job)
            counts = read.counts
          } else if (event.event === "trip" || event.event === "assignment")
            jobs.set(event.data.trip_id, event.data)
          else if (event.event === "gone") jobs.delete(event.data.trip_id)
          else if (event.event === "counts") counts = event.data
          else if (event.event === "position") {
            const job = jobs.get(event.data.trip_id)
            const { driver_id, position: moved, trip_id } = event.data
            if (job !== undefined)
              jobs.set(trip_id, {
                ...job,
                drivers: job.drivers.map((driver) =>
                  driver.driver_id === driver_id ? { ...driver, position: moved } : driver
                )
              })
          }
          lastId = event.id
        })
      ).pipe(Effect.forkDetach)
      connection = { scope, fiber }
      yield* settled
    })
    const disconnect = Effect.suspend(() => {
      if (connection === undefined) return Effect.void
      const { fiber, scope } = connection
      connection = undefined
      return Effect.andThen(Fiber.interrupt(fiber), Scope.close(scope, Exit.void))
    })
    return {
      connect,
      disconnect,
      news,
      isConnected: () => connection !== undefined,
      counts: () => counts,
      counted: () => boardCountsOf([...jobs.values()]),
      jobs: () =>
        [...jobs.values()].toSorted(
          (one, other) => one.trip_date.localeCompare(other.trip_date) || one.trip_id - other.trip_id
        )
    }
  }

  return {
    ...memory,
    calls,
    /** Lets the changes of these businesses not be read. */
    away: (...ids: ReadonlyArray<BusinessId>) => void (isAway = (id) => ids.includes(id)),
    run,
    board,
    position,
    follower,
    create: (input: object) => run(Trips.use((it) => it.create(acme, decoded(TripInput, input)))),
    update: (id: number, change: object) =>
      run(Trips.use((it) => it.update(acme, id as TripId, decoded(TripChanges, change)))),
    remove: (id: number) => run(Trips.use((it) => it.remove(acme, id as TripId, { force: true }))),
    reopen: (id: number) =>
      run(Trips.use((it) => it.reopen(acme, id as TripId, { reason: "By mistake", force: true }))),
    assign: (id: number, driver_ids: ReadonlyArray<number>) =>
      run(
        Assignments.use((it) =>
          it.assign(acme, id as TripId, decoded(DriverSet, { driver_ids, force: true }))
        )
      ),
    report: (id: number, change: object) =>
      run(Assignments.use((it) => it.reportFor(acme, id as TripId, decoded(DriverStatusReport, change))))
  }
})

/** Lets the fibers that can run do so. */
export const settled = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow, { discard: true })
