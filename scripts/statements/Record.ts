/**
 * The record of every statement that Livery sends to its database: `packages/persistence/statements`, a file for each table. It is
 * what `npm run certify` tries on Citus (docs/operations/growth.md). Tests compare it with the statements that run, and
 * `npm run statements:write` writes it.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { tables } from "../../packages/persistence/src/migrations/Tables.ts"

/**
 * What runs a statement: the contracts of the ports, the requests to all routes, or the commands and workers that read the
 * database beside the ports.
 */
type Origin = "ports" | "requests" | "commands"

/** A statement of the record. */
export interface Recorded {
  /** What it does, its table, and the hash of its text: `select trips 3f2a91c8d0`. A changed statement has another name. */
  readonly name: string
  readonly text: string
  readonly origins: ReadonlyArray<Origin>
  /** The version of Citus that accepted it; undefined before `npm run certify` has tried it, and if Citus refused it. */
  readonly acceptedBy?: string | undefined
  /** Why Citus refused it. */
  readonly refusedFor?: string | undefined
}

const directory = join(import.meta.dirname, "../../packages/persistence/statements")

const tableNames = new Set(
  tables.flatMap(({ history, name }) => (history === undefined ? [name] : [name, history]))
)

/** Statements of a session, a transaction or a cursor, which name no table. */
const ofSession =
  /^(?:BEGIN|START TRANSACTION|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|FETCH|CLOSE|SELECT set_config)\b/u

const onOneLine = (statement: string) =>
  statement
    .replaceAll(/--[^\n]*/gu, "")
    .replaceAll(/\s+/gu, " ")
    // An export names its business in the text.
    .replaceAll(/\bbusiness_id = \d+/gu, "business_id = 1")
    .trim()

/** The text without what varies with the values: numbers, and the lengths of lists of parameters. */
const shapeOf = (text: string) =>
  text
    .replaceAll(/(?<![a-z])\d+/giu, "0")
    .replaceAll(/(\$0(?:::[a-z0-9_]+(?:\[\])?)?)(?:, ?\1)+/gu, "$1")
    .replaceAll(/(\([^()]*\))(?:, ?\1)+/gu, "$1")

const firstTable = (words: ReadonlyArray<string | undefined>) =>
  words.find((word) => word !== undefined && tableNames.has(word))

/** The table that a statement is about: the first that it reads or writes. */
const tableOf = (text: string) =>
  firstTable([...text.matchAll(/\b(?:FROM|INTO|UPDATE|TABLE) ([a-z_]+)/gu)].map(([, name]) => name)) ??
  firstTable([...text.matchAll(/\b[a-z_]+\b/gu)].map(([name]) => name)) ??
  "other"

/** What a statement does. One that also writes is named for the first write. */
const verbOf = (text: string) => {
  const [, verb] = /(?<!FOR |KEY |DO )\b(INSERT|UPDATE|DELETE) /u.exec(text) ?? []
  const [first = ""] = text.split(" ", 1)
  return (verb ?? (/^(?:WITH|\(|\(SELECT|TABLE)$/u.test(first) ? "SELECT" : first)).toLowerCase()
}

/** The name of a statement. */
export const nameOf = (text: string): string => {
  const hash = createHash("sha256").update(shapeOf(text)).digest("hex").slice(0, 10)
  return `${verbOf(text)} ${tableOf(text)} ${hash}`
}

/** The statements of the record by their names, from what was sent to the database. */
const statementsOf = (sent: Iterable<string>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const statement of sent) {
    const text = onOneLine(statement)
    if (ofSession.test(text)) continue
    const name = nameOf(text)
    const known = found.get(name)
    // Of the statements that differ in their values, the record has the shortest.
    if (known === undefined || text.length < known.length || (text.length === known.length && text < known))
      found.set(name, text)
  }
  return found
}

const heading =
  /^-- (?<name>\S+ \S+ \S+) \((?<origins>[a-z, ]+)\)(?:, accepted by (?<acceptedBy>.+)|, refused: (?<refusedFor>.+))?$/u

const entriesOf = (file: string): ReadonlyArray<Recorded> => {
  const lines = readFileSync(join(directory, file), "utf8").split("\n")
  return lines.flatMap((line, index) => {
    const { acceptedBy, name = "", origins = "", refusedFor } = heading.exec(line)?.groups ?? {}
    if (name === "") return []
    return [
      {
        name,
        text: lines[index + 1] ?? "",
        origins: origins.split(", ") as ReadonlyArray<Origin>,
        acceptedBy,
        refusedFor
      }
    ]
  })
}

/** The record. */
export const readRecord = (): ReadonlyArray<Recorded> =>
  readdirSync(directory)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .flatMap(entriesOf)

const markOf = ({ acceptedBy, refusedFor }: Recorded) => {
  if (acceptedBy !== undefined) return `, accepted by ${acceptedBy}`
  return refusedFor === undefined ? "" : `, refused: ${refusedFor}`
}

const textOf = (entry: Recorded) =>
  `-- ${entry.name} (${entry.origins.join(", ")})${markOf(entry)}\n${entry.text}\n`

/** Replaces the record. */
export const writeRecord = (entries: ReadonlyArray<Recorded>): void => {
  rmSync(directory, { recursive: true, force: true })
  mkdirSync(directory)
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const [table, its] of Map.groupBy(sorted, ({ name }) => name.split(" ")[1] ?? ""))
    writeFileSync(join(directory, `${table}.sql`), its.map(textOf).join("\n"))
}

const orderOfOrigins: ReadonlyArray<Origin> = ["ports", "requests", "commands"]

/** Replaces what the record says of one origin, and keeps the marks of statements that did not change. */
const writeOrigin = (origin: Origin, statements: ReadonlyMap<string, string>) => {
  const record = readRecord()
  const known = new Map(record.map((entry) => [entry.name, entry]))
  const added = [...statements].flatMap(([name, text]): ReadonlyArray<Recorded> =>
    known.has(name) ? [] : [{ name, text, origins: [] }]
  )
  writeRecord(
    [...record, ...added].flatMap((entry) => {
      const origins = orderOfOrigins.filter((each) =>
        each === origin ? statements.has(entry.name) : entry.origins.includes(each)
      )
      return origins.length === 0 ? [] : [{ ...entry, origins }]
    })
  )
}

/**
 * The differences between the record and the statements that an origin has sent to the database. With
 * `LIVERY_WRITE_STATEMENTS=true` it changes the record instead.
 */
export const differences = (origin: Origin, sent: Iterable<string>): ReadonlyArray<string> => {
  const statements = statementsOf(sent)
  if (process.env["LIVERY_WRITE_STATEMENTS"] === "true") {
    writeOrigin(origin, statements)
    return []
  }
  const recorded = new Set(
    readRecord().flatMap(({ name, origins }) => (origins.includes(origin) ? [name] : []))
  )
  return [
    ...[...statements]
      .filter(([name]) => !recorded.has(name))
      .map(([name, text]) => `${name} is not in the record of ${origin}: ${text}`),
    ...[...recorded]
      .filter((name) => !statements.has(name))
      .map((name) => `${name} is in the record of ${origin}, and does not run`)
  ]
}
