/** Finds the rows that a request wrote, in every table of the current schema. */
import { Client } from "pg"
import { comparable, type Own } from "./Exchange.ts"

interface Column {
  readonly table_name: string
  readonly column_name: string
  readonly is_chosen_by_database: boolean
}

/** Tables that say nothing of a request: a key's use is noted once a minute, and shared counters count both servers. */
const leftOut = new Set(["api_keys", "rate_counters"])

/**
 * A connection that finds rows by the transactions that wrote them.
 *
 * - `mark`: rows that are written from now on are new.
 * - `since`: the new rows of all tables, as lines of text. Values that differ between two equal requests are replaced:
 *   those of identity columns and transaction ids, which the database chooses.
 * - `of`: all rows of one table, in the same form.
 */
export const rowsOf = async (url: string) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows: columns } = await client.query<Column>(`
    select table_name, column_name, is_identity = 'YES' or data_type = 'xid8' or coalesce(column_default, '') like 'nextval%' as is_chosen_by_database
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and table_name not in (select relname from pg_class where relkind = 'p')
    order by table_name, column_name`)
  const tables = Map.groupBy(columns, ({ table_name }) => table_name)

  const lines = async (table: string, condition: string, own: Own) => {
    const madeUp = (tables.get(table) ?? []).flatMap((column) =>
      column.is_chosen_by_database ? [column.column_name] : []
    )
    const { rows } = await client.query<{ readonly row: string }>(
      `select (to_jsonb(t) || $1::jsonb)::text as row from "${table}" t where ${condition}`,
      [JSON.stringify(Object.fromEntries(madeUp.map((column) => [column, "<made up>"])))]
    )
    return rows.map(({ row }) => comparable(`${table} ${row}`, own)).sort()
  }

  return {
    mark: async () => {
      const { rows } = await client.query<{ readonly next: string }>(
        "select pg_snapshot_xmax(pg_current_snapshot())::text as next"
      )
      return Number(rows[0]?.next)
    },
    since: async (mark: number, own: Own) => {
      const found: Array<string> = []
      for (const table of tables.keys())
        if (!leftOut.has(table)) found.push(...(await lines(table, `xmin::text::bigint >= ${mark}`, own)))
      return found
    },
    of: (table: string, own: Own) => lines(table, "true", own),
    run: (statement: string) => client.query(statement),
    close: () => client.end()
  }
}

export type Rows = Awaited<ReturnType<typeof rowsOf>>
