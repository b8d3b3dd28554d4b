/** Effect's `SqlConnection` over the sessions of a pool: one class for single statements, one for transactions. */
import type { PgConnection } from "@effect/sql-pg"
import { OutcomeUnknown, Unavailable } from "@livery/domain"
import { Effect, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { isConflict, retried, retriesExhausted } from "../transactions/Conflicts.ts"
import { detached } from "../transactions/Detached.ts"
import { connectionFault, isLost, mayWrite, unknownError } from "../statements/PgErrors.ts"
import type { Preparing } from "./Preparing.ts"
import type { Request, Session } from "./Session.ts"
import type { LeasedSession, OpenTransaction } from "./SessionPool.ts"
import { askForMark, markOf, type Outcome } from "../transactions/TransactionMark.ts"

type Response<A> = Effect.Effect<A, SqlError.SqlError>
type Rows = Response<ReadonlyArray<PgConnection.Row>>
type Transform = Parameters<SqlConnection.Connection["execute"]>[2]

const isBegin = ({ command }: PgConnection.Result) => command === "BEGIN" || command === "START TRANSACTION"

const rowsOf = ({ rows }: PgConnection.Result) => rows

const transformed = (result: Response<PgConnection.Result>, transform: Transform): Rows =>
  transform === undefined ? Effect.map(result, rowsOf) : Effect.map(result, ({ rows }) => transform(rows))

abstract class Connection implements SqlConnection.Connection {
  readonly #preparing: Preparing

  constructor(preparing: Preparing) {
    this.#preparing = preparing
  }

  protected abstract ask(request: Request): Response<PgConnection.Result>
  protected abstract askValues(request: Request): Response<ReadonlyArray<ReadonlyArray<unknown>>>

  execute(text: string, parameters: ReadonlyArray<unknown>, transform: Transform): Rows {
    const prepare = this.#preparing(text, parameters)
    return transformed(this.ask({ operation: "execute", text, parameters, prepare }), transform)
  }

  executeUnprepared(text: string, parameters: ReadonlyArray<unknown>, transform: Transform): Rows {
    return transformed(this.ask({ operation: "execute", text, parameters, prepare: false }), transform)
  }

  executeRaw(text: string, parameters: ReadonlyArray<unknown>): Response<PgConnection.Result> {
    const prepare = this.#preparing(text, parameters)
    return this.ask({ operation: "executeRaw", text, parameters, prepare })
  }

  executeValues(text: string, parameters: ReadonlyArray<unknown>) {
    const prepare = this.#preparing(text, parameters)
    return this.askValues({ operation: "executeValues", text, parameters, prepare })
  }

  executeValuesUnprepared(text: string, parameters: ReadonlyArray<unknown>) {
    return this.askValues({ operation: "executeValues", text, parameters, prepare: false })
  }

  executeStream(): Stream.Stream<never, SqlError.SqlError> {
    return Stream.fail(unknownError("Streams are not supported: read in pages", "stream"))
  }
}

/** Lends a session for one statement. */
type Lend = <A>(use: (session: Session) => Response<A>) => Response<A>

/** The error that a caller gets after the last retry. PostgreSQL has rolled back a conflicting statement. */
const finalError = (error: SqlError.SqlError, { operation, text }: Request) => {
  if (isConflict(error)) return connectionFault(retriesExhausted(), operation)
  return isLost(error) && mayWrite(text) ? connectionFault(outcomeUnknown(), operation) : error
}

/** Statements outside of a transaction. Each runs on any free session, and is retried after a conflict. */
export class LoneConnection extends Connection {
  readonly #lend: Lend

  constructor(preparing: Preparing, lend: Lend) {
    super(preparing)
    this.#lend = lend
  }

  protected ask(request: Request) {
    const answer = this.#lend((session) =>
      Effect.map(session.query(request), (result) => {
        // The next statements may run on other sessions, so that none could end this transaction: the session is
        // discarded.
        if (isBegin(result)) session.isUnusable = true
        return result
      })
    )
    return Effect.mapError(retried(answer, isConflict), (error) => finalError(error, request))
  }

  protected askValues(request: Request) {
    const answer = this.#lend((session) => session.queryValues(request))
    return Effect.mapError(retried(answer, isConflict), (error) => finalError(error, request))
  }
}

/** The statements of a transaction, all on one session. */
export class TransactionConnection extends Connection {
  readonly #lease: LeasedSession
  readonly #limits: string | undefined
  readonly #outcome: (mark: string) => Effect.Effect<Outcome>

  /**
   * `limits` is a statement that runs before the first query of each transaction. `outcome` returns the outcome of the
   * transaction of a mark.
   */
  constructor(
    preparing: Preparing,
    lease: LeasedSession,
    options: {
      readonly limits: string | undefined
      readonly outcome: (mark: string) => Effect.Effect<Outcome>
    }
  ) {
    super(preparing)
    this.#lease = lease
    this.#limits = options.limits
    this.#outcome = options.outcome
  }

  protected ask(request: Request): Response<PgConnection.Result> {
    const { text } = request
    if (!/^(?:ROLLBACK|RELEASE)\b/u.test(text)) return this.#query(request)
    // If a statement is still running, the session is rolled back after it, when the session is returned to the pool.
    if (text === "ROLLBACK" && this.#lease.isBusy()) return Effect.succeed(nothing)
    // Effect turns a failure of these statements into a defect, which would hide the error that led to the rollback.
    // Ignoring the failure is safe: the transaction is then aborted or its connection lost, so that its COMMIT fails.
    return Effect.orElseSucceed(this.#undo(request), () => nothing)
  }

  protected askValues(request: Request) {
    const run = () => this.#lease.run(this.#lease.session.queryValues(request))
    return this.#lacksLimits(request) ? Effect.andThen(this.#setLimits(request), run) : run()
  }

  /** Whether the limits must be set before the statement. PostgreSQL accepts no `SET TRANSACTION` after them. */
  #lacksLimits({ text }: Request): boolean {
    return this.#lease.transaction?.lacksLimits === true && !/^(?:SET TRANSACTION|COMMIT)\b/u.test(text)
  }

  #setLimits(request: Request): Response<PgConnection.Result> {
    const { transaction } = this.#lease
    if (transaction === undefined || this.#limits === undefined) return Effect.succeed(nothing)
    transaction.lacksLimits = false
    return this.#run({ ...request, text: this.#limits, parameters: [] })
  }

  #undo(request: Request): Response<PgConnection.Result> {
    const lease = this.#lease
    const undone = Effect.map(lease.session.query(request), (result) => {
      if (request.text === "ROLLBACK") lease.transaction = undefined
      return result
    })
    return lease.undo(undone, nothing)
  }

  #query(request: Request): Response<PgConnection.Result> {
    if (!this.#lacksLimits(request)) return this.#run(request)
    return Effect.andThen(this.#setLimits(request), () => this.#run(request))
  }

  #run(request: Request): Response<PgConnection.Result> {
    const { session, transaction } = this.#lease
    if (transaction?.isWriting === false) transaction.isWriting = mayWrite(request.text)
    return Effect.flatMap(this.#lease.run(session.query(request)), (result) => {
      if (isBegin(result)) {
        this.#lease.transaction = {
          isWriting: false,
          lacksLimits: this.#limits !== undefined,
          mark: undefined
        }
      } else if (result.command === "COMMIT") this.#lease.transaction = undefined
      // The mark of a distributed transaction is of one of its servers only.
      else if (transaction !== undefined && !session.isDistributed) transaction.mark ??= markOf(result)
      return Effect.succeed(result)
    })
  }

  /**
   * Commits. If the answer is lost, another connection queries whether the transaction was committed. On a distributed
   * database, the outcome is unknown then.
   */
  commit(): Response<void> {
    const { session, transaction } = this.#lease
    const isAsking =
      transaction?.isWriting === true && transaction.mark === undefined && !session.isDistributed
    const committed = Effect.suspend(() => {
      // If the connection was lost before, the COMMIT cannot have been carried out.
      const wasLost = this.#lease.session.isUnusable
      return Effect.matchEffect(this.executeRaw("COMMIT", []), {
        onSuccess: ({ command }) => (command === "COMMIT" ? Effect.void : Effect.fail(rolledBack())),
        onFailure: (error) => (isLost(error) && !wasLost ? this.#settle(error) : Effect.fail(error))
      })
    })
    return isAsking ? Effect.andThen(this.#askForMark(transaction), committed) : committed
  }

  /** Queries the mark. A failure is ignored here, because the COMMIT then fails with its reason. */
  #askForMark(transaction: OpenTransaction): Effect.Effect<void> {
    return Effect.match(this.executeRaw(askForMark, []), {
      onFailure: () => undefined,
      onSuccess: () => {
        transaction.isWriting = transaction.mark !== undefined
      }
    })
  }

  #settle(error: SqlError.SqlError): Response<void> {
    const transaction = this.#lease.transaction
    if (transaction?.isWriting !== true) return Effect.fail(error)
    const { mark } = transaction
    const outcome = mark === undefined ? Effect.succeed("unknown" as const) : detached(this.#outcome(mark))
    return Effect.flatMap(outcome, (outcome) => {
      if (outcome === "committed") return Effect.void
      return Effect.fail(connectionFault(outcome === "unknown" ? outcomeUnknown() : notSaved(), "commit"))
    })
  }
}

const outcomeUnknown = () => new OutcomeUnknown({ retryAfterSeconds: 5 })

const notSaved = () =>
  new Unavailable({
    reason: "The connection to the database broke before the change was committed; nothing was saved",
    retryAfterSeconds: 1
  })

/** The error of a COMMIT that PostgreSQL answered with ROLLBACK, because a statement of the transaction had failed. */
const rolledBack = () =>
  unknownError("The transaction was rolled back: one of its statements had failed", "commit")

const nothing: PgConnection.Result = { command: "", rowCount: 0, oid: null, rows: [], fields: [] }
