// Ambient types for an untyped package: no import can bring them to whoever compiles this file.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./pg-cursor.d.ts" />
import { Cause, Effect, Stream } from "effect"
import type { Scope } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import Cursor from "pg-cursor"
import { exchange, toParameters } from "./PgSession.ts"
import type { Session } from "./PgSession.ts"

const CURSOR_ROWS = 256

class RowCursor extends Cursor {
  failure: unknown
  override handleDataRow(message: unknown): void {
    // A parser that throws here would end the process: pg-cursor calls it from the socket's listener.
    try {
      super.handleDataRow(message)
    } catch (error) {
      this.failure ??= error
    }
  }
}

const openCursor = (session: Session, text: string, parameters: ReadonlyArray<unknown>) =>
  Effect.acquireRelease(
    Effect.try({
      try: () => session.query(new RowCursor(text, toParameters(parameters))),
      catch: (error) => session.fault(error, "stream")
    }).pipe(Effect.map((cursor) => ({ cursor, failed: false }))),
    (open) =>
      Effect.callback((resume) => {
        const closed = () => resume(Effect.void)
        // pg-cursor closes itself when the server refuses it, and waits for ever on a connection that is gone.
        if (open.failed || session.lost) return closed()
        session.once("end", closed)
        open.cursor.close(() => {
          session.removeListener("end", closed)
          closed()
        })
      })
  )

/**
 * Rows through a portal, CURSOR_ROWS in memory at a time. The session is `lease`d for the life of the stream;
 * within a transaction, let the stream end before the next statement.
 */
export const streamOver = (lease: Effect.Effect<Session, SqlError.SqlError, Scope.Scope>) =>
  ((text, parameters, transform) =>
    Stream.unwrap(
      Effect.gen(function* () {
        const session = yield* lease
        const open = yield* openCursor(session, text, parameters)
        const pull = exchange<ReadonlyArray<object>>(session, (_, settle) =>
          open.cursor.read(CURSOR_ROWS, (error, rows) => {
            open.failed = Boolean(error)
            const cause = error ?? open.cursor.failure
            settle(cause ? Effect.fail(session.fault(cause, "stream")) : Effect.succeed(rows))
          })
        ).pipe(
          Effect.flatMap((rows) => {
            const [first, ...rest] = transform ? transform(rows) : rows
            return first === undefined ? Cause.done() : Effect.succeed([first, ...rest] as const)
          })
        )
        return Stream.fromPull(Effect.succeed(pull))
      })
    )) satisfies SqlConnection.Connection["executeStream"]
