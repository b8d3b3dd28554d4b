/** Which statements of the record Citus has accepted, and how a statement is tried. */
import type { Recorded } from "./Record.ts"
import { nameOf } from "./Record.ts"

/**
 * Statements that run on each node over the rows of that node, and never through the coordinator, which would refuse them. They are
 * not tried, and need no mark.
 */
export const onEachNode = [
  {
    about:
      "the claims and results of deliveries, and the positions of events: they address rows by their place, which another node does not know",
    holds: /\bctid\b/u
  },
  {
    about: "the events and endpoints of claimed deliveries, for the dispatcher",
    holds: /^SELECT 'body' AS kind, c\.business_id, v\.event_id/u
  },
  {
    about: "the count of due deliveries: each node counts those of its own businesses",
    holds: /^WITH RECURSIVE clock AS MATERIALIZED .* FROM webhook_deliveries d/u
  },
  {
    about:
      "the expiry of quotes: it locks the rows of many businesses, and skips what another round has locked",
    holds: /^UPDATE quotes SET status = '\w+', .* FOR NO KEY UPDATE SKIP LOCKED\)/u
  }
]

/** Whether a statement runs on each node. */
export const isPerNode = ({ text }: Pick<Recorded, "text">): boolean =>
  onEachNode.some(({ holds }) => holds.test(text))

const advice = "run `npm run certify` with the DATABASE_URL of a distributed database, and commit the marks"

/**
 * The faults of the record. A statement under a name that does not fit its text was changed by hand. Before the first
 * certification no statement needs a mark; afterwards each one does. None may be refused.
 */
export const recordFaults = (record: ReadonlyArray<Recorded>): ReadonlyArray<string> => {
  const isCertified = record.some(({ acceptedBy }) => acceptedBy !== undefined)
  return record.flatMap((entry) => {
    const { acceptedBy, name, refusedFor, text } = entry
    if (nameOf(text) !== name) return [`${name} was changed in the record: run \`npm run statements:write\``]
    if (refusedFor !== undefined)
      return [`${name} is refused by Citus: ${refusedFor}. Write it in another form`]
    return isCertified && acceptedBy === undefined && !isPerNode(entry)
      ? [`${name} was never tried on Citus: ${advice}`]
      : []
  })
}

/** How many statements Citus has accepted, in a sentence. */
export const certified = (record: ReadonlyArray<Recorded>): string => {
  const marked = record.filter(({ acceptedBy }) => acceptedBy !== undefined).length
  const refused = record.filter(({ refusedFor }) => refusedFor !== undefined).length
  return marked === 0
    ? `${record.length} statements are recorded. None is certified for Citus yet, so none needs a mark`
    : `${marked} of ${record.length} statements are certified for Citus, and ${refused} are refused`
}

/**
 * Runs a statement, with values for its parameters whose types the server finds out, and returns its rows. It rejects with
 * PostgreSQL's error, whose `code` is the SQLSTATE.
 */
export type Query = (
  text: string,
  values?: ReadonlyArray<string>
) => Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>

/** The result of a trial. */
type Trial =
  | { readonly entry: Recorded; readonly outcome: "accepted" | "per node" }
  | { readonly entry: Recorded; readonly outcome: "refused"; readonly reason: string }

/** A value for each type of a parameter. Others get a text that is also the name of a table. */
const samples: Readonly<Record<string, string>> = {
  boolean: "true",
  smallint: "1",
  integer: "1",
  bigint: "1",
  numeric: "1",
  real: "1",
  "double precision": "1",
  date: "2027-01-01",
  "timestamp with time zone": "2027-01-01T00:00:00Z",
  "timestamp without time zone": "2027-01-01T00:00:00",
  interval: "1 hour",
  json: "{}",
  jsonb: "{}",
  bytea: "\\x00",
  uuid: "00000000-0000-0000-0000-000000000000"
}

const sampleOf = (type: string): string => {
  const isArray = type.endsWith("[]")
  const one = samples[isArray ? type.slice(0, -2) : type] ?? "trips"
  return isArray ? `{"${one.replaceAll(/["\\]/gu, String.raw`\$&`)}"}` : one
}

/**
 * Errors by which a planned statement ends for its values or for what the database has: wrong values, two sample rows
 * with one key, constraints, dependent objects, exceptions that a function raises, and a table that is there already.
 */
const ofValues = /^(?:21000|22|23|2B|P0|42P07)/u

/** A shard's error of a constraint comes without its number. */
const ofShardsValues = /violates \S+(?: \S+)? constraint/u

const isRefusal = (error: unknown) =>
  !(
    error instanceof Error &&
    (("code" in error && ofValues.test(String(error.code))) || ofShardsValues.test(error.message))
  )

const preparable = /^[\s(]*(?:SELECT|INSERT|UPDATE|DELETE|MERGE|WITH|TABLE|VALUES)\b/u

/** The current generation instead of an older one, which another database may not have. */
const ofCurrentGeneration = (text: string) =>
  text.replaceAll(/\b(events|webhook_deliveries|driver_trail|audit_log)_\d+\b/gu, "$1")

/** The types of a statement's parameters; undefined for a statement that cannot be prepared. */
const parameterTypes = async (query: Query, text: string): Promise<ReadonlyArray<string> | undefined> => {
  if (!preparable.test(text)) return undefined
  await query(`PREPARE tried AS ${text}`)
  const [row] = await query(
    "SELECT array_to_json(parameter_types::text[])::text AS types FROM pg_prepared_statements WHERE name = 'tried'"
  )
  return JSON.parse(String(row?.["types"])) as ReadonlyArray<string>
}

/** Prepares a statement, and returns its call with sample values; undefined for a statement that cannot be prepared. */
export const prepared = async (query: Query, text: string): Promise<string | undefined> => {
  const types = await parameterTypes(query, text)
  if (types === undefined) return undefined
  const values = types.map((type) => `'${sampleOf(type)}'::${type}`)
  return `EXECUTE tried${values.length === 0 ? "" : `(${values.join(", ")})`}`
}

/** Runs a statement as Livery does: the coordinator tells a node the values of the parameters, and not their types. */
const runOnce = async (query: Query, text: string) => {
  const types = await parameterTypes(query, text)
  await (types === undefined ? query(text) : query(text, types.map(sampleOf)))
}

/** Tries a statement with sample values in a transaction that is rolled back. */
const tried = async (query: Query, entry: Recorded): Promise<Trial> => {
  if (isPerNode(entry)) return { entry, outcome: "per node" }
  await query("BEGIN")
  try {
    await runOnce(query, ofCurrentGeneration(entry.text))
    return { entry, outcome: "accepted" }
  } catch (error) {
    return isRefusal(error)
      ? { entry, outcome: "refused", reason: error instanceof Error ? error.message : String(error) }
      : { entry, outcome: "accepted" }
  } finally {
    await query("ROLLBACK")
    await query("DEALLOCATE ALL")
  }
}

/** Tries each statement of the record. */
export const certify = async (
  query: Query,
  record: ReadonlyArray<Recorded>
): Promise<ReadonlyArray<Trial>> => {
  const trials: Array<Trial> = []
  for (const entry of record) trials.push(await tried(query, entry))
  return trials
}

/** The record with the marks of a trial: each statement is accepted, or refused with the reason. */
export const marked = (trials: ReadonlyArray<Trial>, version: string): ReadonlyArray<Recorded> =>
  trials.map((trial) => ({
    ...trial.entry,
    acceptedBy: trial.outcome === "accepted" ? version : undefined,
    refusedFor: trial.outcome === "refused" ? trial.reason : undefined
  }))
