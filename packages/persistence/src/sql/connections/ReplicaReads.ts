/**
 * Reads on a replica that return what the primary would return.
 *
 * Before a read, the node asks the primary for the position of its last durable commit, and waits until the replica has
 * replayed it. So each read has every change that was acknowledged before it began, by any node, and a client reads its own
 * writes without telling what it wrote. The positions are asked once for all reads that wait, so that their cost does not
 * grow with the number of reads.
 *
 * A replica that is not that far within the limit, or does not answer, is not asked again by reads. It is tried in the
 * background until it is.
 */
import { isStatementStopped, ReplicaRead } from "@livery/domain"
import { Cause, Effect, Fiber } from "effect"
import { unknownError } from "../statements/PgErrors.ts"
import { startDetached } from "../transactions/Detached.ts"
import type { Lend } from "./Connections.ts"
import { makeOutage, type Outages } from "./Outages.ts"
import type { Session } from "./Session.ts"

/** How often the replica's position is asked until it is far enough, in milliseconds. */
const pollInterval = 2

/** How often a replica that is not used is tried, and how long a trial may take, in milliseconds. */
const trialInterval = 1000
const trialLimit = 5000

/** The outages of the replica's sessions. They are logged once, with the lag, as a replica that is not used. */
export const unrecorded: Outages = { failed: () => undefined, answered: () => undefined }

/** NULL if the database is distributed: each of its servers has a position of its own. */
const committed =
  "SELECT CASE WHEN to_regclass('pg_dist_partition') IS NULL THEN (pg_current_wal_flush_lsn() - '0/0')::int8 END AS position"

/** NULL if the server was promoted, so that it is no replica. */
const replayed =
  "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::int8 END AS position"

/**
 * Runs work for all callers that came before it began: while it runs, the next callers wait for its end, and for one more run
 * that is theirs.
 */
const batched = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  let running: Fiber.Fiber<A, E> | undefined
  let next: Fiber.Fiber<A, E> | undefined
  const end = Effect.sync(() => {
    running = next
    next = undefined
  })
  const start = (before: Effect.Effect<unknown>) =>
    startDetached(Effect.ensuring(Effect.andThen(before, work), end))
  return Effect.suspend(() => {
    if (running !== undefined) return Fiber.join((next ??= start(Fiber.await(running))))
    return Fiber.join((running = start(Effect.yieldNow)))
  })
}

/** What identifies the server of a session: the configuration that the sessions of its pool share. */
const serverOf = ({ connection }: Session) => connection.config

/** Lends sessions of the replica to reads that may use it, and sessions of the primary to all other statements. */
export const makeReplicaReads = Effect.fnUntraced(function* (options: {
  readonly primary: Lend
  readonly replica: { readonly lend: Lend; readonly suspect: () => void }
  /** In milliseconds. */
  readonly maxLag: number
}) {
  const { maxLag, primary, replica } = options
  const outage = yield* makeOutage("the read replica is not used", "the read replica is used again")
  let isUsed = false
  let trial: Fiber.Fiber<unknown> | undefined

  /** The position that a statement returns, and the server that answered. Fails if it returns NULL. */
  const positionBy = (lend: Lend, text: string, whyNull: string) =>
    Effect.flatMap(
      lend((session) =>
        Effect.map(
          session.query({ operation: "execute", text, parameters: [], prepare: false }),
          ({ rows: [row] }) => ({ at: row?.["position"], server: serverOf(session) })
        )
      ),
      ({ at, server }) =>
        typeof at === "number"
          ? Effect.succeed({ at, server })
          : Effect.fail(unknownError(whyNull, "execute"))
    )
  const target = positionBy(primary, committed, "A distributed database has no replica")
  const reached = Effect.tapError(positionBy(replica.lend, replayed, "The server is no replica"), () =>
    Effect.sync(replica.suspect)
  )

  /** The replica's server, once it has all that was committed when this began. */
  const caughtUp = Effect.gen(function* () {
    const [{ at: aim }, first] = yield* Effect.all([target, reached], { concurrency: 2 })
    let last = first
    while (last.at < aim) {
      yield* Effect.sleep(pollInterval)
      last = yield* reached
    }
    return last.server
  })

  /** The replica's server, or undefined if it is not far enough within these milliseconds: reads no longer ask it then. */
  const within = (limit: number) =>
    caughtUp.pipe(
      Effect.timeoutOrElse({
        duration: limit,
        orElse: () => Effect.fail(unknownError(`It is more than ${limit} ms behind`, "execute"))
      }),
      Effect.catch(({ reason }) => {
        isUsed = false
        outage.lasts(reason.message)
        return Effect.undefined
      })
    )

  /** Whether the replica is far enough within the limit of a read. The first round opens its session, which may take longer. */
  const isFastEnough = Effect.gen(function* () {
    if ((yield* within(Math.max(maxLag, trialLimit))) === undefined) return false
    return (yield* within(maxLag)) !== undefined
  })

  const trials = Effect.gen(function* () {
    while (!(yield* isFastEnough)) yield* Effect.sleep(trialInterval)
    isUsed = true
    trial = undefined
    outage.ends()
  })
  yield* Effect.addFinalizer(() => (trial === undefined ? Effect.void : Fiber.interrupt(trial)))

  const current = batched(Effect.suspend(() => (isUsed ? within(maxLag) : Effect.undefined)))

  const lend: Lend = (use) =>
    Effect.withFiber((fiber) => {
      if (!fiber.getRef(ReplicaRead)) return primary(use)
      if (!isUsed) {
        trial ??= startDetached(trials)
        return primary(use)
      }
      return Effect.flatMap(current, (server) =>
        server === undefined
          ? primary(use)
          : Effect.catchIf(
              replica.lend((session) =>
                serverOf(session) === server
                  ? use(session)
                  : Effect.fail(unknownError("Another replica came into use", "execute"))
              ),
              (error) => !isStatementStopped(Cause.fail(error)),
              () => primary(use)
            )
      )
    })
  return lend
})
