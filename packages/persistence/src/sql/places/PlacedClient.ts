/**
 * The client of a database that may be distributed. On a distributed database, a statement outside of a transaction that reads the
 * rows of one business runs on the node that has them, and uses its shards by their names, as workers do (`WorkPlaces.ts`).
 * The coordinator neither plans it nor passes it on. A statement that reads copied tables only uses the coordinator's copies
 * in the same way. All other statements, and all writes, run through the coordinator.
 *
 *     SELECT … FROM trips WHERE business_id = $1
 *       ── coordinator: trips ── node: trips_102009        through Citus
 *       ─────────────────────── node: trips_102009        here
 *
 * The answer is the coordinator's. Before each statement, the node is asked whether it still has the shards: after a move, the
 * old ones remain for a while, and lack later changes. If it has not, or PostgreSQL refuses the statement there, the
 * coordinator runs it.
 */
import { Cause, Effect, Layer, Redacted, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { urlAt } from "../connections/ConnectionUrl.ts"
import { type ConnectionPool, makeClient, makePool, type PgOptions } from "../connections/ConnectionPool.ts"
import { type Lend, LoneConnection } from "../connections/Connections.ts"
import { makePreparing, type Preparing } from "../connections/Preparing.ts"
import type { Request, Session } from "../connections/Session.ts"
import { distribution } from "../schema/Distribution.ts"
import { databaseError, unknownError } from "../statements/PgErrors.ts"
import { startDetached } from "../transactions/Detached.ts"
import { businessHash } from "./BusinessHash.ts"
import { type PlacedText, placedText } from "./PlacedText.ts"
import { onShards, type ShardNames } from "./ShardNames.ts"
import { readCopies, readShards, type Shards } from "./Shards.ts"

/** How long a reading of the catalogue is used, in milliseconds. */
const maxAge = 2000

/** The most statements whose texts are remembered. */
const maxTexts = 2000

/** Remembers what `make` returns for a text. */
const remembered = <A>(make: (text: string) => A) => {
  const known = new Map<string, A>()
  return (text: string): A => {
    const found = known.get(text)
    if (found !== undefined || known.has(text)) return found as A
    if (known.size >= maxTexts) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}

/** The connections to a server, and which statements are prepared on them. */
interface Server {
  readonly lend: Lend
  readonly preparing: Preparing
}

/** A server, and the names that tables have there. */
interface Place {
  readonly server: Server
  readonly names: ShardNames
  /** Renames the tables of a statement. */
  readonly textOf: (text: string) => string
  /** The businesses whose rows it has; undefined if it has copied tables only. */
  readonly shards: Shards | undefined
}

const areSame = (one: ShardNames, other: ShardNames) =>
  one.size === other.size && [...one].every(([table, shard]) => other.get(table) === shard)

const isSame = (one: Shards, other: Shards) =>
  one.host === other.host &&
  one.port === other.port &&
  one.greatest === other.greatest &&
  areSame(one.names, other.names)

const isPlaced = `
  SELECT FROM pg_dist_placement JOIN pg_dist_local_group USING (groupid) WHERE shardid = $1 AND shardstate = 1`

const moved = unknownError("The shards of the business are on another node", "execute")

/** Whether PostgreSQL refused a statement for its names or its grammar (class 42), or the node has no longer the shards. */
const isRefusedThere = (error: SqlError.SqlError) =>
  error === moved || databaseError(error)?.code?.startsWith("42") === true

/** Runs a statement on a session of a place, if the place still has its shards. */
const readOn = ({ shards }: Place, session: Session, request: Request) => {
  if (shards === undefined) return session.query(request)
  const check = {
    operation: "execute",
    text: isPlaced,
    parameters: [shards.shardId],
    prepare: request.prepare
  }
  return Effect.flatMap(session.query(check), ({ rowCount }) =>
    rowCount === 1 ? session.query(request) : Effect.fail(moved)
  )
}

/** Finds where statements are read. */
const makePlaces = Effect.fnUntraced(function* (options: PgOptions, coordinator: ConnectionPool) {
  const scope = yield* Effect.scope
  const client = yield* makeClient(() => coordinator)
  const { replica: _, ...ofNodes } = options
  const prepare = options.prepare ?? true
  const servers = new Map<string, Server>()
  const atCoordinator: Server = { lend: coordinator.lend, preparing: makePreparing(prepare) }
  let isDistributed: boolean | undefined
  let ofShards: ReadonlyArray<Place> = []
  let copies: Place | undefined
  let readAt = Number.NEGATIVE_INFINITY
  let isReading = false

  const serverOf = Effect.fnUntraced(function* ({ host, port }: Shards) {
    const url = urlAt(Redacted.value(options.url), host, port)
    const known = servers.get(url)
    if (known !== undefined) return known
    const { lend } = yield* makePool({ ...ofNodes, url: Redacted.make(url) }).pipe(Scope.provide(scope))
    const server = { lend, preparing: makePreparing(prepare) }
    servers.set(url, server)
    return server
  })

  const placeOf = (server: Server, names: ShardNames, shards: Shards | undefined): Place => ({
    server,
    names,
    shards,
    textOf: remembered((text) => onShards(text, names))
  })

  const read = Effect.gen(function* () {
    isDistributed ??= (yield* distribution()).isDistributed
    if (!isDistributed) return
    const found = yield* Effect.forEach(
      yield* readShards,
      Effect.fnUntraced(function* (shards) {
        const known = ofShards.find((place) => place.shards?.least === shards.least)
        return known?.shards !== undefined && isSame(known.shards, shards)
          ? known
          : placeOf(yield* serverOf(shards), shards.names, shards)
      })
    )
    const copied = yield* readCopies
    ofShards = found
    if (copies === undefined || !areSame(copies.names, copied))
      copies = placeOf(atCoordinator, copied, undefined)
  }).pipe(Effect.provideService(SqlClient.SqlClient, client))

  /** Reads the catalogue in the background, so that no statement waits for it. */
  const refresh = () => {
    if (isReading || Date.now() - readAt < maxAge) return
    isReading = true
    startDetached(
      read.pipe(
        Effect.catchCause((cause) =>
          Effect.logDebug("The places of shards could not be read", Cause.squash(cause))
        ),
        Effect.ensuring(
          Effect.sync(() => {
            isReading = false
            readAt = Date.now()
          })
        )
      )
    )
  }

  const classified = remembered(placedText)

  const placeOfBusiness = (id: unknown) => {
    if (typeof id !== "number") return undefined
    const hash = businessHash(id)
    return ofShards.find(
      ({ shards }) => shards !== undefined && shards.least <= hash && hash <= shards.greatest
    )
  }

  const placeFor = ({ business }: PlacedText, { parameters }: Request) =>
    business === undefined ? copies : placeOfBusiness(parameters[business])

  /** Returns the read of a statement where its rows are; undefined if it runs through the coordinator. */
  return (request: Request) => {
    if (isDistributed === false) return undefined
    refresh()
    const placed = isDistributed === undefined ? undefined : classified(request.text)
    if (placed === undefined) return undefined
    const place = placeFor(placed, request)
    if (place === undefined || !placed.tables.every((table) => place.names.has(table))) return undefined
    const text = place.textOf(request.text)
    const prepare = place.server.preparing(text, request.parameters)
    return place.server.lend((session) => readOn(place, session, { ...request, text, prepare }))
  }
})

/** Statements outside of a transaction, where their rows are. */
class PlacedConnection extends LoneConnection {
  readonly #read: Effect.Success<ReturnType<typeof makePlaces>>

  constructor(preparing: Preparing, lend: Lend, read: Effect.Success<ReturnType<typeof makePlaces>>) {
    super(preparing, lend)
    this.#read = read
  }

  protected override ask(request: Request) {
    const inPlace = this.#read(request)
    return inPlace === undefined
      ? super.ask(request)
      : Effect.catchIf(inPlace, isRefusedThere, () => super.ask(request))
  }
}

/** The same as `PgClient.layer`, of a database that may be distributed. */
export const layer = (options: PgOptions): Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.gen(function* () {
      const pool = yield* makePool(options)
      const lone = new PlacedConnection(pool.preparing, pool.lend, yield* makePlaces(options, pool))
      return yield* makeClient(() => ({ ...pool, lone }))
    })
  )
