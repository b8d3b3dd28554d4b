/**
 * One connection, and what keeps it from being lost or misused.
 *
 * An interrupted statement may end by itself within GRACE. After that it is cancelled on the server and its
 * session dropped: a late cancel must never hit the next user of the connection.
 */
import { connect } from "node:net"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { Client } from "pg"
import type { ClientConfig, QueryConfig, QueryResult } from "pg"
import { databaseError, toSqlError } from "./PgErrors.ts"

const GRACE = 100
const CANCEL_TIMEOUT = 5_000

/** One statement to run. `name` has it prepared, `rowMode` gives rows as arrays. */
export interface Request {
  readonly operation: string
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
  readonly name?: string | undefined
  readonly rowMode?: "array"
}

/** Several statements in one text give several results. */
export type Answer = QueryResult | ReadonlyArray<QueryResult>

/** The rows of the last statement. */
export const rowsOf = (answer: Answer): Array<object> =>
  "rows" in answer ? answer.rows : (answer.at(-1)?.rows ?? [])

/** pg writes a Date in the process's time zone, whose historic offsets it rounds: UTC is exact. */
export const toParameters = (parameters: ReadonlyArray<unknown>): Array<unknown> =>
  parameters.map((value) => (value instanceof Date ? value.toISOString() : value))

/** A pooled connection: `ask` it, then give it back exactly once. */
export class Session extends Client {
  declare readonly processID: number | null
  declare readonly secretKey: number | null
  declare readonly release: (drop: boolean) => void
  lost = false
  doubtful = false

  constructor(config?: ClientConfig) {
    super(config)
    // Without a listener, a connection that breaks while a fiber holds it would end the process.
    this.on("error", () => {
      this.lost = true
    })
  }

  /** Calls `done` once. */
  ask(request: Request, done: (failure: SqlError.SqlError | undefined, answer: Answer) => void): void {
    const { name, operation, rowMode, text } = request
    let open = true
    // pg calls back twice when it cannot write a parameter.
    const answered = (error: unknown, answer: Answer) => {
      if (!open) return
      open = false
      done(error ? this.fault(error, operation) : undefined, answer)
    }
    try {
      const values = request.parameters.length === 0 ? undefined : toParameters(request.parameters)
      this.query({ text, values, name, rowMode } as QueryConfig, answered)
    } catch (error) {
      answered(error, [])
    }
  }

  fault(cause: unknown, operation: string): SqlError.SqlError {
    const error = toSqlError(cause, operation)
    if (error.reason._tag === "ConnectionError") this.lose()
    // After a value that it could not write or read, pg's own notes on prepared statements may be wrong.
    else if (databaseError(error) === undefined) this.doubtful = true
    return error
  }

  lose(): void {
    this.lost = true
    this.end(() => undefined)
  }

  /** Cancels on the server what runs here, then lets go of the connection. */
  abort(): void {
    if (this.processID !== null && this.secretKey !== null) {
      const request = Buffer.alloc(16)
      request.writeInt32BE(16, 0)
      request.writeInt32BE(80_877_102, 4)
      request.writeInt32BE(this.processID, 8)
      request.writeInt32BE(this.secretKey, 12)
      const socket = this.host.startsWith("/")
        ? connect(`${this.host}/.s.PGSQL.${this.port}`)
        : connect(this.port, this.host)
      socket.setTimeout(CANCEL_TIMEOUT, () => socket.destroy())
      socket.on("error", () => socket.destroy()).end(request)
    }
    this.lose()
  }

  giveBack(): void {
    this.release(this.lost || this.doubtful || this.getTransactionStatus() !== "I")
  }
}

/** The state of one exchange, shared between its start and its interruption. */
export interface Exchange {
  session: Session | undefined
  over: boolean
}

/** Starts something on a session (if one is at hand already), and takes care that an interruption leaves it settled. */
export const exchange = <A>(
  session: Session | undefined,
  start: (current: Exchange, settle: (outcome: Effect.Effect<A, SqlError.SqlError>) => void) => void
): Effect.Effect<A, SqlError.SqlError> =>
  Effect.callback((resume) => {
    const current: Exchange = { session, over: false }
    let settled = false
    let afterwards: (() => void) | undefined
    start(current, (outcome) => {
      settled = true
      resume(outcome)
      afterwards?.()
    })
    return Effect.callback((resume) => {
      current.over = true
      const running = current.session
      if (settled || running === undefined) return resume(Effect.void)
      const timer = setTimeout(() => running.abort(), GRACE)
      afterwards = () => {
        clearTimeout(timer)
        resume(Effect.void)
      }
    })
  })
