import { SqlError } from "effect/sql"
import { DatabaseError } from "pg"

const reasonOf = (cause: unknown, operation: string): SqlError.SqlErrorReason => {
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const { code } = error as { readonly code?: string }
  const props = { cause, operation, message: error.message || (code ?? "The database did not answer") }
  if (!(cause instanceof DatabaseError) || code === undefined) {
    // pg and Node report a lost or refused connection as a plain Error; a subclass comes from reading a
    // value or writing a parameter.
    return cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError
      ? new SqlError.UnknownError(props)
      : new SqlError.ConnectionError(props)
  }
  if (code === "23505") {
    return new SqlError.UniqueViolation({ ...props, constraint: cause.constraint ?? "unknown" })
  }
  if (code === "40001") return new SqlError.SerializationError(props)
  if (code === "40P01") return new SqlError.DeadlockError(props)
  if (code === "55P03") return new SqlError.LockTimeoutError(props)
  if (code === "57014") return new SqlError.StatementTimeoutError(props)
  if (code === "42501") return new SqlError.AuthorizationError(props)
  if (/^(?:08|57P|25P03|25P04|53300|3D000)/u.test(code)) return new SqlError.ConnectionError(props)
  if (code.startsWith("23")) return new SqlError.ConstraintError(props)
  if (code.startsWith("28")) return new SqlError.AuthenticationError(props)
  if (code.startsWith("42")) return new SqlError.SqlSyntaxError(props)
  return new SqlError.UnknownError(props)
}

/** What PostgreSQL, pg or Node reported, by its SQLSTATE, as the reason that repositories match on. */
export const toSqlError = (cause: unknown, operation: string) =>
  new SqlError.SqlError({ reason: reasonOf(cause, operation) })

/** PostgreSQL's own report behind an error, if it was PostgreSQL that refused. */
export const databaseError = (error: SqlError.SqlError): DatabaseError | undefined =>
  error.reason.cause instanceof DatabaseError ? error.reason.cause : undefined

/** The name of the constraint that refused a statement, also of a foreign key, a check or an exclusion. */
export const constraintOf = (error: SqlError.SqlError): string | undefined => databaseError(error)?.constraint
