/** The port that reads and stores the rows of one business, which move with it to another installation. */
import { Context, type Effect, type Option, Schema } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"

/** The columns of a row with their values. */
export type RowValues = Readonly<Record<string, Schema.Json>>

/** A row of a business, without the id of the business. */
export interface BusinessRow {
  readonly table: string
  readonly row: RowValues
}

/** A table whose rows move with a business. */
export interface BusinessTable {
  readonly table: string
  /** The key without the business: the order of the rows. */
  readonly key: ReadonlyArray<string>
  /** The columns that move. The others are null, or computed. */
  readonly columns: ReadonlyArray<string>
  /** The column that refers to a row of the same table. */
  readonly refersToItself?: string
  /** The condition of the rows that move; by default, all rows of the business do. */
  readonly only?: string
}

/** The number of a table's rows, and a checksum of them in any order. */
export const TableSum = Schema.Struct({ rows: Schema.Int, sum: Schema.String })
export type TableSum = typeof TableSum.Type

/** The sums of tables by their names. */
export type TableSums = Readonly<Record<string, TableSum>>

/**
 * The rows of a table in blocks, by a digest of their keys: a text for each block that two installations have in common if its rows
 * are the same.
 */
export const RowBlocks = Schema.Record(Schema.String, Schema.String)
export type RowBlocks = typeof RowBlocks.Type

/** The sum of a table whose blocks are known. */
export const sumOfBlocks = (blocks: RowBlocks): TableSum => {
  let rows = 0
  let sum = 0n
  for (const text of Object.values(blocks)) {
    const [ownRows = "0", ownSum = "0"] = text.split(":")
    rows += Number(ownRows)
    sum += BigInt(ownSum)
  }
  return { rows, sum: String(sum) }
}

/** The tables and columns of this version. */
export interface RowShape {
  /** The columns of the business's own row. */
  readonly business: ReadonlyArray<string>
  /** The tables, each after those that its rows refer to. */
  readonly tables: ReadonlyArray<BusinessTable>
}

/** A business at one moment. */
export interface BusinessSnapshot {
  /** The code of its plan. */
  readonly plan: string
  /** Its own row, without the identifiers that the payment provider and this installation have for it. */
  readonly business: RowValues
  /** The sums of all tables. */
  readonly sums: Effect.Effect<TableSums>
  /** The blocks of all tables with rows, by table. */
  readonly blocks: Effect.Effect<Readonly<Record<string, RowBlocks>>>
  /** Passes the rows of a table in these blocks to `use`, in batches; without blocks, all rows of the table. */
  readonly forEachBatchOf: <E, R>(
    rows: { readonly table: string; readonly blocks?: ReadonlyArray<string> },
    use: (rows: ReadonlyArray<BusinessRow>) => Effect.Effect<void, E, R>
  ) => Effect.Effect<void, E, R>
  /** Passes all rows to `use`, in the order of the tables and their keys, in batches of one table each. */
  readonly forEachBatch: <E, R>(
    use: (rows: ReadonlyArray<BusinessRow>) => Effect.Effect<void, E, R>
  ) => Effect.Effect<void, E, R>
}

/**
 * - `shape`: the tables and columns of an export.
 * - `linkedShape`: those of a move to an installation that keeps the links of the business: also its link key, and the digests of
 *   the links' tokens.
 * - `inSnapshot`: runs `use` with the business as it is now. Changes that are made meanwhile are not in the snapshot, and
 *   `use` can write nothing. `None` if there is no such business. With `withLinks`, in the columns of `linkedShape`.
 * - `count`: the number of the business's rows in a table.
 * - `blocks`: the blocks of the business's rows in a table.
 * - `keysIn`: the keys of the rows in these blocks.
 * - `insert`: stores rows of one table, without their references to rows of the same table. A row that is there gets these values.
 *   The token of an invoice (`payment_hash`) has the link key of the new business from then on. An author of a change who belongs to the
 *   former installation is stored as `imported:user:2`, so that no user of this one is taken for the author.
 * - `link`: sets the references of rows to rows of the same table, which are all stored now.
 * - `remove`: deletes the rows with these keys. Rows of a table to which rows of another table refer all stay.
 * - `reserveIds`: from now on, new rows of the table get ids that no row of the business has.
 * - `sum`: the sum of the business's rows in a table. Rows that `insert` stored have the same sum as those that were
 *   exported.
 *
 * Only PostgreSQL implements it.
 */
export class BusinessRows extends Context.Service<
  BusinessRows,
  {
    readonly shape: Effect.Effect<RowShape>
    readonly linkedShape: Effect.Effect<RowShape>
    readonly inSnapshot: <A, E, R>(
      businessId: BusinessId,
      use: (snapshot: BusinessSnapshot) => Effect.Effect<A, E, R>,
      withLinks?: boolean
    ) => Effect.Effect<Option.Option<A>, E, R>
    readonly count: (businessId: BusinessId, table: BusinessTable) => Effect.Effect<number>
    readonly insert: (
      businessId: BusinessId,
      table: BusinessTable,
      rows: ReadonlyArray<BusinessRow>
    ) => Effect.Effect<void>
    readonly link: (
      businessId: BusinessId,
      table: BusinessTable,
      rows: ReadonlyArray<BusinessRow>
    ) => Effect.Effect<void>
    readonly blocks: (businessId: BusinessId, table: BusinessTable) => Effect.Effect<RowBlocks>
    readonly keysIn: (
      businessId: BusinessId,
      table: BusinessTable,
      blocks: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<RowValues>>
    readonly remove: (
      businessId: BusinessId,
      table: BusinessTable,
      keys: ReadonlyArray<RowValues>
    ) => Effect.Effect<void>
    readonly reserveIds: (businessId: BusinessId, table: BusinessTable) => Effect.Effect<void>
    readonly sum: (businessId: BusinessId, table: BusinessTable) => Effect.Effect<TableSum>
  }
>()("@livery/domain/BusinessRows") {}
