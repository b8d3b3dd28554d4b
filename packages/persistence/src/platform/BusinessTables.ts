/**
 * The tables whose rows move with a business to another installation (`Tables.ts`), with their columns. Ids stay the same, because they are unique within a business; only the id of the business changes, and its
 * link key, also in the tokens of invoices. Authors that belong to the former installation are marked.
 */
import { type BusinessId, type BusinessTable, type RowBlocks, TableSum } from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { tables } from "../migrations/Tables.ts"
import { rowsAs } from "../sql/rows/Rows.ts"

/** Columns that refer to an account or a file of one installation. An export has no values of them. */
const clearedColumns = ["user_id", "former_user_id", "created_by", "kept_pdf"]

/** Columns with the digests of links' tokens. They move only together with the links of a business. */
const linkColumns = ["token_hash", "ended_token_hash"]

/** The column of the own row that moves with the links of a business: its links begin with the key. */
const linkKeyColumn = "link_key"

/** Columns of the business's own row that the payment provider or this installation has given it, or that nothing reads any more. */
export const notExported = (withLinks: boolean): ReadonlyArray<string> => [
  "business_id",
  "subscription_plan_id",
  "subscription_item_id",
  "email_credits",
  "logo_url",
  ...(withLinks ? [] : [linkKeyColumn])
]

/** The condition, in SQL, of the rows of a business that move. */
export const rowsThatMove = (businessId: BusinessId, { only }: BusinessTable): string =>
  `business_id = ${businessId}${only === undefined ? "" : ` AND ${only}`}`

/** The column of a table that refers to a row of the same table. It is set when all rows are there. */
export const selfReferenceOf = (name: string): string | undefined =>
  tables.find((table) => table.name === name)?.refersToItself

const sumsOf = rowsAs(TableSum)
const blocksOf = rowsAs(Schema.Struct({ block: Schema.String, text: Schema.String }))
const columnsOf = rowsAs(Schema.Struct({ table: Schema.String, columns: Schema.Array(Schema.String) }))

/** The names of columns as a list in SQL. */
export const quotedNames = (columns: ReadonlyArray<string>): string =>
  columns.map((column) => `"${column}"`).join(", ")

/**
 * The values, by column, that differ after the move to the business `to`, in SQL. The token of an invoice (`payment_hash`)
 * begins with the link key of its business. A user, an API key or a user of an operating system who is the author of a change does
 * not exist on the new installation, where another one may have the same id or name: `user:2` becomes `imported:user:2`.
 */
const movedValues: Readonly<Record<string, (to: number) => string>> = {
  payment_hash: (to) => `regexp_replace("payment_hash", '^inv_[0-9a-z]+_',
    'inv_' || coalesce((SELECT link_key FROM businesses WHERE business_id = ${to}), '0') || '_')`,
  actor: () => String.raw`regexp_replace("actor", '^(user|api_key|cli):', 'imported:\1:')`
}

/** The values of columns, as they are in the business `to` after a move, as a list in SQL. */
export const movedColumns = (columns: ReadonlyArray<string>, to: number): string =>
  columns.map((column) => movedValues[column]?.(to) ?? `"${column}"`).join(", ")

/** A search document whose words have the prefix of the business `to` instead of that of the business `from`. */
export const withPrefix = (document: string, from: number, to: number) =>
  document.replaceAll(new RegExp(`(^| )'${from}:`, "gu"), `$1'${to}:`)

/** The block of a row, in SQL: three digits of a digest of its key. */
export const blockOf = ({ key }: BusinessTable): string =>
  `left(md5(concat_ws(',', ${["''", ...key.map((column) => `"${column}"`)].join(", ")})), 3)`

const sumOf = (text: string) => `coalesce(sum(('x' || left(md5(${text}), 15))::bit(60)::bigint), 0)`

/** Makes the functions that read the tables of a business, for the domain's `BusinessRows`. */
export const makeBusinessTables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** The columns of these tables, by table, in the order of the schema. Cleared columns are left out if they may be null. */
  const readColumns = Effect.fnUntraced(function* (names: ReadonlyArray<string>, withLinks: boolean) {
    const cleared = withLinks ? clearedColumns : [...clearedColumns, ...linkColumns]
    const found = yield* columnsOf(sql`
      SELECT attrelid::regclass::text AS table, json_agg(attname ORDER BY attnum) AS columns FROM pg_attribute
      WHERE attrelid = ANY (${names}::text[]::regclass[]) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
        AND attname <> 'business_id' AND (attnotnull OR attname <> ALL (${cleared}::text[]))
      GROUP BY attrelid`)
    return new Map(found.map(({ columns, table }) => [table, columns]))
  })

  /** The tables, each after those that its rows refer to. */
  const businessTables = Effect.fnUntraced(function* (withLinks: boolean) {
    const moving = tables.filter(({ moves }) => moves === true || (withLinks && moves !== undefined))
    const columns = yield* readColumns(
      moving.map(({ name }) => name),
      withLinks
    )
    return moving.map(({ key, moves, name, refersToItself }): BusinessTable => ({
      table: name,
      key,
      columns: columns.get(name) ?? [],
      ...(refersToItself === undefined ? {} : { refersToItself }),
      ...(typeof moves === "string" ? { only: moves } : {})
    }))
  })

  const shape = Effect.fnUntraced(function* (withLinks: boolean) {
    const own = (yield* readColumns(["businesses"], withLinks)).get("businesses") ?? []
    const left = notExported(withLinks)
    const business = own.filter((name) => !left.includes(name))
    return { business, tables: yield* businessTables(withLinks) }
  })

  /**
   * The number of a business's rows, and the sum of the first 60 bits of their MD5. It is the same before and after a move:
   * tokens count without the business's link key, and authors as they are after the move. The words of the search are left out,
   * because they contain the business's id.
   */
  const sum = Effect.fnUntraced(function* (businessId: BusinessId, moved: BusinessTable) {
    const { columns, table } = moved
    const values = movedColumns(
      columns.filter((column) => column !== "search"),
      0
    )
    const [found] = yield* sumsOf(
      sql.unsafe(`
        SELECT count(*)::int8 AS rows, ${sumOf("t::text")}::text AS sum
        FROM (SELECT ${values} FROM ${table} WHERE ${rowsThatMove(businessId, moved)}) t`)
    )
    return found ?? { rows: 0, sum: "0" }
  })

  /**
   * The blocks of a business's rows. Their text is the number of the rows, their sum as above, and that of the words of their
   * search with no business's id in the prefix.
   */
  const blocks = Effect.fnUntraced(function* (
    businessId: BusinessId,
    moved: BusinessTable
  ): Effect.fn.Return<RowBlocks> {
    const values = movedColumns(
      moved.columns.filter((column) => column !== "search"),
      0
    )
    const words = moved.columns.includes("search")
      ? `regexp_replace(search::text, '(^| )''${businessId}:', '\\1''0:', 'g')`
      : "NULL"
    const found = yield* blocksOf(
      sql.unsafe(`
        SELECT block, concat_ws(':', count(*), ${sumOf("content")}, ${sumOf("words")}) AS text
        FROM (SELECT ${blockOf(moved)} AS block, ROW(${values})::text AS content, ${words}::text AS words
          FROM ${moved.table} WHERE ${rowsThatMove(businessId, moved)}) t
        GROUP BY block`)
    )
    return Object.fromEntries(found.map(({ block, text }) => [block, text]))
  })

  return { blocks, businessTables, shape, sum }
})
