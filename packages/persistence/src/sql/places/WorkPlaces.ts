/**
 * The places where workers work. On a plain PostgreSQL there is one: the whole database. On a distributed database each
 * range of businesses is a place: its workers run on the node that has the shards of these businesses, and use the shards
 * by their names. So their statements may do what Citus refuses through its coordinator, and a node that is down delays
 * its own businesses only.
 *
 *     catalogue of Citus ── every 2 s ──▶ places ──▶ the workers of each place
 *
 * A place keeps its workers when its shards are moved to another node or when retention renames them: its next statement
 * uses the new node and the new names. Attempts that were sent before are recorded after.
 */
import { logFailure, WorkNotifier } from "@livery/domain"
import { Cause, Context, Duration, Effect, Exit, Layer, type Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { PgClient as EffectPgClient } from "@effect/sql-pg"
import { urlAt } from "../connections/ConnectionUrl.ts"
import { type ConnectionPool, makeClient, makePool, type PgOptions } from "../connections/ConnectionPool.ts"
import { distribution } from "../schema/Distribution.ts"
import { shardCompiler } from "./ShardNames.ts"
import { readShards, type Shards } from "./Shards.ts"

/** A part of the database, with a client whose statements use the tables of that part. */
interface WorkPlace {
  readonly key: string
  readonly sql: SqlClient.SqlClient
  /** Wakes the workers of this place. */
  readonly notifier: WorkNotifier["Service"]
}

/** Makes the workers of one place. `places` is the number of places whose workers this process runs. */
export type WorkersOf<R> = (places: number) => Layer.Layer<never, never, R>

/** How often the catalogue is read. */
const readInterval = Duration.seconds(2)

/** How long a node may take to answer what is read on all nodes. */
const nodeTimeout = Duration.millis(1500)

/** What was read in the places of a node; `None` if the node did not respond. */
export interface OnNode<A> {
  readonly node: string
  readonly found: Option.Option<ReadonlyArray<A>>
}

const nodeOf = ({ host, port }: Shards) => `${host}:${port}`

/** Makes the function that returns the place of some shards: the same one as long as the range of businesses stays. */
const makePlaceOf = Effect.fnUntraced(function* (options: PgOptions) {
  const scope = yield* Effect.scope
  const pools = new Map<string, ConnectionPool>()
  const places = new Map<string, WorkPlace & { shards: Shards; pool: ConnectionPool }>()

  /** The pool of a node. It stays for later: without statements it closes its connections. */
  const poolOf = Effect.fnUntraced(function* ({ host, port }: Shards) {
    const url = urlAt(Redacted.value(options.url), host, port)
    const known = pools.get(url)
    if (known !== undefined) return known
    const pool = yield* makePool({
      ...options,
      url: Redacted.make(url),
      // Citus refuses the change of a shard by its name without this setting. A plain PostgreSQL ignores it.
      sessionSettings: { "citus.enable_manual_changes_to_shards": "on" }
    }).pipe(Scope.provide(scope), Effect.orDie)
    pools.set(url, pool)
    return pool
  })

  return Effect.fnUntraced(function* (shards: Shards) {
    const key = `${shards.least} ${shards.greatest}`
    const pool = yield* poolOf(shards)
    const known = places.get(key)
    if (known !== undefined) {
      Object.assign(known, { shards, pool })
      return known
    }
    const now: { shards: Shards; pool: ConnectionPool } = { shards, pool }
    const compiler = shardCompiler(EffectPgClient.makeCompiler(), () => now.shards.names)
    const place = Object.assign(now, {
      key,
      sql: yield* makeClient(() => now.pool, compiler),
      notifier: yield* WorkNotifier.make
    })
    places.set(key, place)
    return place
  })
})

const make = Effect.fnUntraced(function* (options: PgOptions | undefined) {
  const sql = yield* SqlClient.SqlClient
  const notifier = yield* WorkNotifier
  const { isDistributed } = yield* distribution()

  const provided =
    (place: Omit<WorkPlace, "key">) =>
    <A, E, R>(work: Effect.Effect<A, E, R>) =>
      work.pipe(
        Effect.provideService(SqlClient.SqlClient, place.sql),
        Effect.provideService(WorkNotifier, place.notifier)
      )

  if (options === undefined || !isDistributed)
    return {
      run: <R>(workersOf: WorkersOf<R>) =>
        Effect.asVoid(provided({ sql, notifier })(Layer.build(workersOf(1)))),
      onNodes: undefined
    }

  const placeOf = yield* makePlaceOf(options)
  const read = yield* Effect.cachedWithTTL(
    Effect.flatMap(Effect.provideService(readShards, SqlClient.SqlClient, sql), Effect.forEach(placeOf)),
    readInterval
  )

  // What this process commits may be in any place. Deliveries are found by polling, which is soon enough.
  yield* notifier.wait("events", Duration.hours(1)).pipe(
    Effect.andThen(read),
    Effect.flatMap(Effect.forEach((place) => place.notifier.notify("events"))),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => Effect.logDebug("The places of shards could not be read", cause)
    ),
    Effect.forever,
    Effect.forkScoped
  )

  const run = Effect.fnUntraced(function* <R>(workersOf: WorkersOf<R>) {
    // They end at the same time, because each waits for its last attempts.
    const all = yield* Scope.fork(yield* Effect.scope, "parallel")
    const running = new Map<string, Scope.Closeable>()
    const follow = Effect.gen(function* () {
      const places = yield* read
      for (const [key, scope] of running) {
        if (places.some((place) => place.key === key)) continue
        running.delete(key)
        yield* Effect.forkIn(Scope.close(scope, Exit.void), all)
      }
      for (const place of places) {
        if (running.has(place.key)) continue
        const scope = yield* Scope.fork(all)
        // Not shared with other places, whose layers are the same.
        const workers = Layer.build(Layer.fresh(workersOf(places.length)))
        yield* Scope.provide(provided(place)(workers), scope)
        running.set(place.key, scope)
      }
    })
    yield* follow.pipe(
      // The workers of the known places go on while the coordinator is down.
      Effect.catchCauseIf(
        (cause) => !Cause.hasInterruptsOnly(cause),
        (cause) => logFailure("The places of shards could not be read", cause)
      ),
      Effect.andThen(Effect.sleep(readInterval)),
      Effect.forever,
      Effect.forkScoped
    )
  })

  const onNodes = Effect.fnUntraced(function* <A, E>(
    reading: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>
  ): Effect.fn.Return<ReadonlyArray<OnNode<A>>> {
    const nodes = [...Map.groupBy(yield* Effect.orDie(read), ({ shards }) => nodeOf(shards))]
    return yield* Effect.forEach(
      nodes,
      ([node, places]) =>
        Effect.forEach(places, (place) => reading(place.sql)).pipe(
          Effect.timeout(nodeTimeout),
          Effect.tapCause((cause) => Effect.logDebug("A node could not be read", { node }, cause)),
          Effect.exit,
          Effect.map((exit) => ({ node, found: Exit.getSuccess(exit) }))
        ),
      { concurrency: "unbounded" }
    )
  })
  return { run, onNodes }
})

/**
 * - `run`: runs workers once for each place.
 * - `onNodes`: reads something in each place, on all nodes at once; `undefined` if the database is not distributed.
 */
export class WorkPlaces extends Context.Service<WorkPlaces, Effect.Success<ReturnType<typeof make>>>()(
  "@livery/persistence/WorkPlaces"
) {}

/** The places of this database. `options` lead to its coordinator; without them the database is not distributed. */
export const layer = (options: PgOptions | undefined) => Layer.effect(WorkPlaces, make(options))

/** Runs workers in each place while the layer lives. They work through the `SqlClient` of their place. */
export const inEachPlace = <R>(workersOf: WorkersOf<R>) =>
  Layer.effectDiscard(Effect.flatMap(WorkPlaces, ({ run }) => run(workersOf)))
