/** One session on the server: it runs statements, and records whether it can be used again. */
import type { PgConnection } from "@effect/sql-pg"
import { Effect, Exit } from "effect"
import type { SqlError } from "effect/sql"
import { columnsOf } from "../rows/ColumnTypes.ts"
import { textOf } from "../statements/Parameters.ts"
import type { Outages } from "./Outages.ts"
import { toSqlError, unknownError } from "../statements/PgErrors.ts"

/** One statement to run. With `prepare`, it is prepared under a name, once per session. */
export interface Request {
  readonly operation: string
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
  readonly prepare: boolean
}

/** A session of the pool. */
export class Session {
  readonly connection: PgConnection.PgConnection
  /** When to replace the session, in Unix milliseconds. */
  readonly renewAt: number
  /** Whether the session's settings were applied. */
  isConfigured = false
  /** Whether the database has Citus, so that a transaction may commit on other servers than this one. */
  isDistributed = false
  /** Whether it must not be used again, because its state is unknown or its server is unusable. */
  isUnusable = false

  readonly #outages: Outages

  constructor(connection: PgConnection.PgConnection, renewAt: number, outages: Outages) {
    this.connection = connection
    this.renewAt = renewAt
    this.#outages = outages
  }

  get mustClose(): boolean {
    return this.isUnusable || Date.now() >= this.renewAt
  }

  /** Runs one statement. */
  query(request: Request): Effect.Effect<PgConnection.Result, SqlError.SqlError> {
    return this.#run(
      request,
      (texts) => this.connection.query(request.text, texts, request.prepare),
      (result) => {
        this.#outages.answered(result.command)
        return check(result)
      }
    )
  }

  /** Runs one statement, for rows without names. */
  queryValues(request: Request): Effect.Effect<ReadonlyArray<ReadonlyArray<unknown>>, SqlError.SqlError> {
    return this.#run(
      request,
      (texts) => this.connection.queryValues(request.text, texts, request.prepare),
      (rows) => {
        this.#outages.answered("")
        return Effect.succeed(rows)
      }
    )
  }

  #run<A>(
    { operation, parameters, text }: Request,
    send: (texts: ReadonlyArray<string | null>) => Effect.Effect<A, SqlError.SqlError>,
    onSuccess: (answer: A) => Effect.Effect<A, SqlError.SqlError>
  ): Effect.Effect<A, SqlError.SqlError> {
    let texts: ReadonlyArray<string | null>
    try {
      texts = parameters.map(textOf)
    } catch (error) {
      return Effect.fail(unknownError("A parameter cannot be sent", operation, error))
    }
    return Effect.matchEffect(send(texts), {
      onSuccess,
      onFailure: (error) => {
        const fault = toSqlError(error, operation)
        this.#outages.failed(fault, text)
        if (fault.reason._tag === "ConnectionError") this.isUnusable = true
        return Effect.fail(fault)
      }
    })
  }
}

const check = (result: PgConnection.Result): Exit.Exit<PgConnection.Result, SqlError.SqlError> => {
  const { unreadable } = columnsOf(result.fields)
  return unreadable === undefined
    ? Exit.succeed(result)
    : Exit.fail(unknownError(`The type of column ${unreadable} cannot be read: cast it to text`, "read"))
}
