/**
 * How the values of columns are read: `int8` as a safe number (or not at all), `numeric`, `date` and `timestamp` as
 * text, `timestamptz` as a `Date`, `json` and `jsonb` parsed, `xid`, `xid8` and `pg_lsn` as text.
 */
import { PgTypes } from "@effect/sql-pg"
import type { PgConnection } from "@effect/sql-pg"
import { Result } from "effect"

const { OID } = PgTypes

const failure = (message: string) => Result.fail(new PgTypes.CodecError({ message }))

/** Parameters are sent as text (see `Parameters.ts`), so these codecs never write a value. */
const isNeverWritten = () => failure("Parameters are sent as text")

const byteAt = (bytes: Uint8Array, at: number) => bytes[at] ?? 0

const readInt32 = (bytes: Uint8Array, at: number) =>
  (byteAt(bytes, at) << 24) |
  (byteAt(bytes, at + 1) << 16) |
  (byteAt(bytes, at + 2) << 8) |
  byteAt(bytes, at + 3)

const readSafeInteger = (bytes: Uint8Array, offset: number) => {
  const value = readInt32(bytes, offset) * 2 ** 32 + (readInt32(bytes, offset + 4) >>> 0)
  if (Number.isSafeInteger(value)) return Result.succeed(value)
  const exact = new DataView(bytes.buffer, bytes.byteOffset + offset, 8).getBigInt64(0)
  return failure(`int8 ${exact} does not fit a JavaScript number`)
}

const microsecondsBefore1970 = 946_684_800_000_000n

const readLocalTime = (bytes: Uint8Array, offset: number) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 8)
  const since1970 = view.getBigInt64(0) + microsecondsBefore1970
  const fraction = ((since1970 % 1_000_000n) + 1_000_000n) % 1_000_000n
  const at = new Date(Number((since1970 - fraction) / 1000n))
  if (Number.isNaN(at.getTime()) || at.getUTCFullYear() < 1 || at.getUTCFullYear() > 9999)
    return failure("A timestamp outside of the years 1 to 9999 cannot be read")
  const seconds = at.toISOString().slice(0, 19).replace("T", " ")
  const digits = String(fraction).padStart(6, "0").replace(/0+$/u, "")
  return Result.succeed(digits === "" ? seconds : `${seconds}.${digits}`)
}

/** A transaction id: 4 bytes or, as an `xid8`, 8. */
const readTransactionNumber = (bytes: Uint8Array, offset: number, size: number) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, size)
  return Result.succeed(String(size === 4 ? view.getUint32(0) : view.getBigUint64(0)))
}

const readLogPosition = (bytes: Uint8Array, offset: number) => {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 8)
  const half = (at: number) => view.getUint32(at).toString(16).toUpperCase()
  return Result.succeed(`${half(0)}/${half(4)}`)
}

const codecOf = <A>(
  read: (bytes: Uint8Array, offset: number, size: number) => Result.Result<A, PgTypes.CodecError>
): PgTypes.Codec<A> => ({ encode: isNeverWritten, decode: (bytes) => read(bytes, 0, bytes.length), read })

/** The codecs of a client, where they differ from those of `@effect/sql-pg`. */
export const registry = PgTypes.makeRegistry()
registry.register(OID.int8, codecOf(readSafeInteger))
registry.register(OID.timestamp, codecOf(readLocalTime))

/** Types of transaction ids and log positions, which `@effect/sql-pg` cannot decode. */
const binaryTypes = { xid: 28, pg_lsn: 3220, xid8: 5069 }
registry.register(binaryTypes.xid, codecOf(readTransactionNumber))
registry.register(binaryTypes.xid8, codecOf(readTransactionNumber))
registry.register(binaryTypes.pg_lsn, codecOf(readLogPosition))

/** Types without a codec whose bytes are their text. */
const texts = { char: 18, xml: 142, unknown: 705, refcursor: 1790, void: 2278 }

const decoded = [
  "bool",
  "bytea",
  "name",
  "int2",
  "int4",
  "int8",
  "oid",
  "float4",
  "float8",
  "numeric",
  "text",
  "varchar",
  "bpchar",
  "json",
  "jsonb",
  "uuid",
  "inet",
  "cidr",
  "date",
  "timestamp",
  "timestamptz"
] as const

const readable = new Set<number>([
  ...Object.values(texts),
  ...Object.values(binaryTypes),
  ...decoded.flatMap((type) => [OID[type], OID[`${type}Array` as const]])
])

/** Facts about the columns of a statement's result. */
export interface Columns {
  /** The name of the first column that cannot be read; `undefined` if all can. */
  readonly unreadable: string | undefined
  /** Whether one of them is the transaction mark. */
  readonly hasMark: boolean
}

/** The name of the column that holds the transaction mark: see `TransactionMark.ts`. */
export const markColumn = "transaction_mark"

const cache = new WeakMap<ReadonlyArray<PgConnection.Field>, Columns>()

/**
 * Checks a result's columns. `@effect/sql-pg` reads the bytes of an unknown type as text, which gives wrong values
 * without an error for `pg_lsn`, `xid8`, ranges and others.
 */
export const columnsOf = (fields: ReadonlyArray<PgConnection.Field>): Columns => {
  const cached = cache.get(fields)
  if (cached !== undefined) return cached
  const columns = {
    unreadable: fields.find(({ dataTypeId }) => !readable.has(dataTypeId))?.name,
    hasMark: fields.some(({ name }) => name === markColumn)
  }
  cache.set(fields, columns)
  return columns
}
