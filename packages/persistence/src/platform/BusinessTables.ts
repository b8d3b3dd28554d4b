/**
 * The tables whose rows move with a business to another installation: every table of a business except the excluded
 * ones. Ids stay the same, because they are unique within a business; only the id of the business changes, also in the
 * tokens of invoices. Authors that belong to the former installation are marked.
 */
import { type BusinessId, type BusinessTable, TableSum } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/rows/Rows.ts"

/**
 * Tables whose rows are valid on one installation only: accounts and API keys, links, webhook endpoints with their
 * deliveries, reported positions, files, paid seats, the state of payments at the provider, and locks. Tables with
 * generations are left out by the query.
 */
const excludedTables = [
  "api_keys",
  "business_members",
  "businesses",
  "card_intents",
  "customer_email_locks",
  "driver_invitations",
  "driver_positions",
  "driver_seats",
  "event_feeds",
  "external_ref_locks",
  "member_invitations",
  "payment_notices",
  "saas_invoices",
  "schedule_locks",
  "seat_subscriptions",
  "tracking_links",
  "uploads",
  "webhook_endpoints"
]

/** Columns that refer to an account, or to a link of one installation. An export has no values of them. */
const clearedColumns = ["user_id", "former_user_id", "created_by", "token_hash", "ended_token_hash"]

/** Columns of the business's own row that the payment provider or this installation has given it. */
export const notExported = ["business_id", "subscription_plan_id", "subscription_item_id", "logo_url"]

/**
 * The columns, by table, that refer to a row of the same table, which may come later in the export. They are set when all
 * rows are there.
 */
export const selfReferences: Readonly<Record<string, string>> = { trips: "linked_trip_id" }

const sumsOf = rowsAs(TableSum)
const tablesOf = rowsAs(
  Schema.Struct({
    table: Schema.String,
    key: Schema.Array(Schema.String),
    columns: Schema.Array(Schema.String)
  })
)
const columnsOf = rowsAs(Schema.Struct({ name: Schema.String }))
const referencesOf = rowsAs(Schema.Struct({ from: Schema.String, to: Schema.String }))

/** Sorts tables so that each comes after those that its rows refer to. */
const sorted = Effect.fnUntraced(function* (
  tables: ReadonlyArray<BusinessTable>,
  references: ReadonlyArray<{ readonly from: string; readonly to: string }>
) {
  const ordered: Array<BusinessTable> = []
  const remaining = new Map(tables.map((table) => [table.table, table]))
  while (remaining.size > 0) {
    const ready = [...remaining.values()].filter(
      ({ table }) => !references.some(({ from, to }) => from === table && remaining.has(to))
    )
    if (ready.length === 0)
      return yield* Effect.die(new Error(`Tables refer to each other: ${[...remaining.keys()].join(", ")}`))
    for (const table of ready) {
      ordered.push(table)
      remaining.delete(table.table)
    }
  }
  // The table of the trips' words has no foreign key to the trips, so it is put last here.
  return ordered.toSorted(
    (one, other) => Number(one.table === "trip_search") - Number(other.table === "trip_search")
  )
})

/** The names of columns as a list in SQL. */
export const quotedNames = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `"${column}"`).join(", ")

/**
 * The values, by column, that differ after the move to the business `to`, in SQL. The token of an invoice (`payment_hash`)
 * names the business that has it. A user, an API key or a user of an operating system who is the author of a change does
 * not exist on the new installation, where another one may have the same id or name: `user:2` becomes `imported:user:2`.
 */
const movedValues: Readonly<Record<string, (to: number) => string>> = {
  payment_hash: (to) => `regexp_replace("payment_hash", '^inv_[0-9]+_', 'inv_${to}_')`,
  actor: () => String.raw`regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:')`
}

/** The values of columns, as they are in the business `to` after a move, as a list in SQL. */
export const movedColumns = (columns: ReadonlyArray<string>, to: number): string =>
  columns.map((column) => movedValues[column]?.(to) ?? `"${column}"`).join(", ")

/** A search document whose words have the prefix of the business `to` instead of that of the business `from`. */
export const withPrefix = (document: string, from: number, to: number) =>
  document.replaceAll(new RegExp(`(^| )'${from}:`, "gu"), `$1'${to}:`)

/** Makes the functions that read the tables of a business, for the domain's `BusinessRows`. */
export const makeBusinessTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** The tables, each after those that its rows refer to. */
  const businessTables = Effect.gen(function* () {
    const tables = yield* tablesOf(sql`
      SELECT c.relname AS table,
        (SELECT coalesce(json_agg(a.attname ORDER BY k.nth), '[]') FROM pg_index i
          CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, nth)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
          WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname <> 'business_id') AS key,
        (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
          WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
            AND a.attname <> ALL (${["business_id", "generation"]}::text[])
            AND (a.attnotnull OR a.attname <> ALL (${clearedColumns}::text[]))) AS columns
      FROM pg_class c
      WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL (${excludedTables}::text[])
        AND NOT c.relispartition
        AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'business_id')
      ORDER BY 1`)
    const references = yield* referencesOf(sql`
      SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
      WHERE contype = 'f' AND conrelid <> confrelid`)
    return yield* sorted(tables, references)
  })

  const shape = Effect.gen(function* () {
    const own = yield* columnsOf(sql`
      SELECT attname::text AS name FROM pg_attribute
      WHERE attrelid = 'businesses'::regclass AND attnum > 0 AND NOT attisdropped`)
    const business = own.map(({ name }) => name).filter((name) => !notExported.includes(name))
    return { business, tables: yield* businessTables }
  })

  /**
   * The number of a business's rows, and the sum of the first 60 bits of their MD5. It is the same before and after a move:
   * tokens count without the business's id, and authors as they are after the move. The words of the search are left out,
   * because they contain the business's id.
   */
  const sum = Effect.fnUntraced(function* (businessId: BusinessId, { columns, table }: BusinessTable) {
    const values = movedColumns(
      columns.filter((column) => column !== "search"),
      0
    )
    const [found] = yield* sumsOf(
      sql.unsafe(`
        SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum
        FROM (SELECT ${values} FROM ${table} WHERE business_id = ${businessId}) t`)
    )
    return found ?? { rows: 0, sum: "0" }
  })

  return { businessTables, shape, sum }
})
