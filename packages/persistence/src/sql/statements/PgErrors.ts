import { type Fault, OutcomeUnknown, type StatementStopped, Unavailable } from "@livery/domain"
import { SqlError } from "effect/sql"

/** PostgreSQL's own report of an error. */
export interface DatabaseError extends Error {
  /** The SQLSTATE, five characters. */
  readonly code: string
  readonly severity: string
  readonly constraint?: string | undefined
  /**
   * The position of the error in the statement, from 1. `internalPosition` refers to a statement that the statement
   * ran.
   */
  readonly position?: string | undefined
  readonly internalPosition?: string | undefined
}

const isDatabaseError = (cause: unknown): cause is DatabaseError =>
  cause instanceof Error &&
  "severity" in cause &&
  "code" in cause &&
  typeof cause.code === "string" &&
  cause.code.length === 5

/**
 * SQLSTATEs after which the session cannot be used, but another one may work: the server ends this session (57P01 to
 * 57P05), accepts no new one (53300, 57P03), does not know the database (3D000), or accepts no writes (25006, and 53100 on a
 * full disk).
 */
const makesSessionUnusable = /^(?:08|57P|25006|25P03|25P04|53100|53300|3D000)/u

const readOnly = "25006"
const diskFull = "53100"

interface ErrorProps {
  readonly cause: unknown
  readonly operation: string
  readonly message: string
}

/** An error after which nothing was carried out, so that a retry, on another connection or later, may succeed. */
const connectionError = (props: ErrorProps) => {
  const takesNoWrites = isDatabaseError(props.cause) && [readOnly, diskFull].includes(props.cause.code)
  const reason = takesNoWrites
    ? "The database takes no writes at the moment"
    : "The database cannot be reached"
  return new SqlError.ConnectionError({
    ...props,
    cause: new Unavailable({ reason, retryAfterSeconds: 1, cause: props.cause })
  })
}

/** The error of a statement that PostgreSQL stopped at its time limit. PostgreSQL has undone what the statement did. */
const timeoutError = (props: ErrorProps) =>
  new SqlError.StatementTimeoutError({
    ...props,
    cause: new Unavailable({
      reason: "The database did not finish in time",
      retryAfterSeconds: 5,
      cause: props.cause
    })
  })

/** The error of a change of a business that is copied to another installation at the moment (migration 0059). */
const movingError = (props: ErrorProps) =>
  new SqlError.ConstraintError({
    ...props,
    cause: new Unavailable({
      reason: "The business is being moved to another installation, and takes no changes meanwhile",
      retryAfterSeconds: 5,
      isPlanned: true,
      cause: props.cause
    })
  })

const reasonOf = ({ reason }: SqlError.SqlError, operation: string): SqlError.SqlErrorReason => {
  const { cause } = reason
  const error = cause instanceof Error ? cause : new Error(String(cause))
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined
  const props = { cause, operation, message: error.message || (code ?? "The database did not answer") }
  if (!isDatabaseError(cause)) {
    if (reason._tag === "ConnectionError") return connectionError(props)
    if (reason._tag === "AuthenticationError") return new SqlError.AuthenticationError(props)
    return new SqlError.UnknownError(props)
  }
  if (cause.code === "23505")
    return new SqlError.UniqueViolation({ ...props, constraint: cause.constraint ?? "unknown" })
  if (cause.code === "40001") return new SqlError.SerializationError(props)
  if (cause.code === "40P01") return new SqlError.DeadlockError(props)
  if (cause.code === "55P03") return new SqlError.LockTimeoutError(props)
  if (cause.code === "57014") return timeoutError(props)
  if (cause.code === "LV001") return movingError(props)
  if (cause.code === "42501") return new SqlError.AuthorizationError(props)
  if (makesSessionUnusable.test(cause.code)) return connectionError(props)
  if (cause.code.startsWith("23")) return new SqlError.ConstraintError(props)
  if (cause.code.startsWith("28")) return new SqlError.AuthenticationError(props)
  if (cause.code.startsWith("42")) return new SqlError.SqlSyntaxError(props)
  return new SqlError.UnknownError(props)
}

/**
 * Classifies an error of `@effect/sql-pg` by its SQLSTATE, and keeps PostgreSQL's message. Repositories match the
 * resulting reasons.
 */
export const toSqlError = (error: SqlError.SqlError, operation: string) =>
  new SqlError.SqlError({ reason: reasonOf(error, operation) })

/** An error of this client, or of a value that cannot be sent or read. */
export const unknownError = (message: string, operation: string, cause: unknown = new Error(message)) =>
  new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message, operation }) })

/** A connection error whose fault tells the client what to do. */
export const connectionFault = (fault: Fault, operation: string) =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause: fault, message: fault.message, operation })
  })

/** The error of a statement that was stopped at the limit of its reader. */
export const stoppedError = (cause: StatementStopped) =>
  new SqlError.SqlError({
    reason: new SqlError.StatementTimeoutError({ cause, message: cause.message, operation: "execute" })
  })

/** Whether the connection broke while a statement ran, so that the server may have carried it out. */
export const isLost = (error: SqlError.SqlError): boolean => {
  const { _tag, cause, operation } = error.reason
  if (_tag !== "ConnectionError" || operation === "connect") return false
  // An error of this client, such as too many conflicts, has no cause of its own: the server answered.
  return cause instanceof Unavailable && cause.cause !== undefined && !isDatabaseError(cause.cause)
}

/**
 * Whether a session broke, or the server ended it (57P01, 57P02, 57P05), so that another session may work. Of a read,
 * the unknown outcome says the same: the connection broke.
 */
export const isSessionLost = (error: SqlError.SqlError): boolean =>
  isLost(error) || isOutcomeUnknown(error) || /^57P0[125]$/u.test(databaseError(error)?.code ?? "")

/** Whether a statement was sent and its answer lost, so that it may have been carried out. */
export const isOutcomeUnknown = (error: SqlError.SqlError): boolean =>
  error.reason.cause instanceof OutcomeUnknown

const cannotWrite = /^\s*(?:SELECT|SHOW|SET|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|LOCK)\b/iu

/** Whether a statement may change data. A statement that starts with `WITH` may. */
export const mayWrite = (text: string): boolean => !cannotWrite.test(text)

/** PostgreSQL's own report, if PostgreSQL refused the statement. */
export const databaseError = ({ reason: { cause } }: SqlError.SqlError): DatabaseError | undefined => {
  const reported = cause instanceof Unavailable ? cause.cause : cause
  return isDatabaseError(reported) ? reported : undefined
}

/** Whether the server accepts no writes: it is a standby, or configured as read-only. */
export const isReadOnlyServer = (error: SqlError.SqlError): boolean => databaseError(error)?.code === readOnly

/** Whether the disk of the server is full, so that it reads and does not write. */
export const isDiskFull = (error: SqlError.SqlError): boolean => databaseError(error)?.code === diskFull

/**
 * The name of the violated constraint: unique, foreign key, check or exclusion. Citus passes on the message of a node and not
 * its fields; the last name in the message that ends with the number of a shard is the constraint.
 */
export const constraintOf = (error: SqlError.SqlError): string | undefined => {
  const reported = databaseError(error)
  if (reported === undefined || !reported.code.startsWith("23")) return reported?.constraint
  return reported.constraint ?? reported.message.match(/\b[a-z]\w*_\d+\b/gu)?.at(-1)
}

/** Whether a constraint is violated. On a distributed database, its name ends with the number of a shard (`…_102008`). */
export const violates = (error: SqlError.SqlError, constraint: string): boolean =>
  constraintOf(error)?.replace(/_\d+$/u, "") === constraint
