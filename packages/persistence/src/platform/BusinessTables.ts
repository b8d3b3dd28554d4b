/**
 * The tables whose rows move with a business to another installation: every table of a business, except those that the
 * list below names. Ids stay the same, since they are unique within a business; only the id of the business changes.
 */
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { rowsAs } from "../sql/Rows.ts"

/**
 * Tables that are valid on one installation only: accounts and API keys, links, webhook endpoints and what was sent to them,
 * reported positions, files, paid seats, the state of payments at the provider, and locks.
 */
const leftOut = [
  "api_keys",
  "audit_history",
  "audit_log",
  "business_members",
  "businesses",
  "card_intents",
  "customer_email_locks",
  "driver_invitations",
  "driver_positions",
  "driver_seats",
  "driver_trail",
  "event_feeds",
  "events",
  "external_ref_locks",
  "member_invitations",
  "payment_notices",
  "saas_invoices",
  "schedule_locks",
  "seat_subscriptions",
  "tracking_links",
  "uploads",
  "webhook_deliveries",
  "webhook_endpoints"
]

/** Columns that refer to an account, or to a link of one installation. They are exported as null. */
const omitted = ["user_id", "former_user_id", "created_by", "token_hash", "ended_token_hash"]

/** Columns of the business's own row that the payment provider or this installation has given it. */
export const notExported = ["business_id", "subscription_plan_id", "subscription_item_id", "logo_url"]

/** A table that moves with a business. */
export const BusinessTable = Schema.Struct({
  table: Schema.String,
  /** The key without the business: the order of the rows. */
  key: Schema.Array(Schema.String),
  /** The columns that are exported. The others are null, or computed. */
  columns: Schema.Array(Schema.String)
})
export type BusinessTable = typeof BusinessTable.Type

/** A reference to a row of the same table that may come later: it is set when all rows are there. */
export const laterColumns: Readonly<Record<string, string>> = { trips: "linked_trip_id" }

const tablesOf = rowsAs(BusinessTable)
const referencesOf = rowsAs(Schema.Struct({ from: Schema.String, to: Schema.String }))

/** The tables, each after those that its rows refer to. */
export const businessTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* tablesOf(sql`
    SELECT c.relname AS table,
      (SELECT coalesce(json_agg(a.attname ORDER BY k.place), '[]') FROM pg_index i
        CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
        WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname <> 'business_id') AS key,
      (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
          AND a.attname <> ALL (${["business_id", "generation"]}::text[])
          AND (a.attnotnull OR a.attname <> ALL (${omitted}::text[]))) AS columns
    FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> ALL (${leftOut}::text[])
      AND NOT c.relispartition
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'business_id')
    ORDER BY 1`)
  const references = yield* referencesOf(sql`
    SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to FROM pg_constraint
    WHERE contype = 'f' AND conrelid <> confrelid`)
  const ordered: Array<BusinessTable> = []
  const rest = new Map(tables.map((table) => [table.table, table]))
  while (rest.size > 0) {
    const ready = [...rest.values()].filter(
      ({ table }) => !references.some(({ from, to }) => from === table && rest.has(to))
    )
    if (ready.length === 0)
      return yield* Effect.die(new Error(`Tables refer to each other: ${[...rest.keys()].join(", ")}`))
    for (const table of ready) {
      ordered.push(table)
      rest.delete(table.table)
    }
  }
  // The table of the trips' words has no foreign key to the trips, so it is put last here.
  return ordered.toSorted(
    (one, other) => Number(one.table === "trip_search") - Number(other.table === "trip_search")
  )
})

/** The number of a table's rows, and the sum of the first 60 bits of their MD5, in any order of the rows. */
export const TableSum = Schema.Struct({ rows: Schema.Int, sum: Schema.String })
export type TableSum = typeof TableSum.Type

const sumsOf = rowsAs(TableSum)

/**
 * The {@link TableSum} of a business's rows. The words of the search are left out, because they contain the business's
 * id.
 */
export const sumOf = Effect.fnUntraced(function* ({ columns, table }: BusinessTable, businessId: number) {
  const sql = yield* SqlClient.SqlClient
  const counted = columns.filter((column) => column !== "search").map((column) => `"${column}"`)
  const [sum] = yield* sumsOf(
    sql.unsafe(`
      SELECT count(*)::int8 AS rows, coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0)::text AS sum
      FROM (SELECT ${counted.join(", ")} FROM ${table} WHERE business_id = ${businessId}) t`)
  )
  return sum ?? { rows: 0, sum: "0" }
})

/** A search document whose words have the prefix of the business `to` instead of that of the business `from`. */
export const wordsOf = (document: string, from: number, to: number) =>
  document.replaceAll(new RegExp(`(^| )'${from}:`, "gu"), `$1'${to}:`)
