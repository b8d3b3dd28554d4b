import {
  type BusinessId,
  type BusinessRow,
  BusinessRows,
  type BusinessTable,
  type RowValues
} from "@livery/domain"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, rowsAs } from "../sql/rows/Rows.ts"
import { makeBusinessSnapshot } from "./BusinessSnapshotPg.ts"
import { allowChanges } from "./BusinessFence.ts"
import {
  blockOf,
  makeBusinessTables,
  movedColumns,
  quotedNames,
  rowsThatMove,
  selfReferenceOf,
  withPrefix
} from "./BusinessTables.ts"

const countsOf = rowsAs(Schema.Struct({ rows: Schema.Int }))
const keysOf = rowsAs(Schema.Struct({ key: Schema.Record(Schema.String, Schema.Json) }))
const sequencesOf = rowsAs(Schema.Struct({ sequence: Schema.String, column: Schema.String }))

export const layer = Layer.effect(
  BusinessRows,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { blocks, shape, sum } = yield* makeBusinessTables
    const inSnapshot = yield* makeBusinessSnapshot

    const count = Effect.fnUntraced(function* (businessId: BusinessId, moved: BusinessTable) {
      const [found] = yield* countsOf(
        sql.unsafe(
          `SELECT count(*)::int8 AS rows FROM ${moved.table} WHERE ${rowsThatMove(businessId, moved)}`
        )
      )
      return found?.rows ?? 0
    })

    const insert = Effect.fnUntraced(function* (
      businessId: BusinessId,
      { columns, key, table }: BusinessTable,
      rows: ReadonlyArray<BusinessRow>
    ) {
      const reference = selfReferenceOf(table)
      const values = rows.map(({ row }) => ({
        ...row,
        business_id: businessId,
        ...(typeof row["search"] === "string" ? { search: withPrefix(row["search"], 0, businessId) } : {}),
        ...(reference === undefined ? {} : { [reference]: null })
      }))
      const all = ["business_id", ...columns]
      const changing = columns.filter((column) => column !== reference && !key.includes(column))
      const rowOf = (name: string) => `(${changing.map((column) => `${name}."${column}"`).join(", ")})`
      const onConflict =
        changing.length === 0
          ? "NOTHING"
          : `UPDATE SET ${changing.map((column) => `"${column}" = EXCLUDED."${column}"`).join(", ")}
             WHERE ${rowOf("t")} IS DISTINCT FROM ${rowOf("EXCLUDED")}`
      yield* execute(
        sql.unsafe(
          `INSERT INTO ${table} AS t (${quotedNames(all)}) OVERRIDING SYSTEM VALUE
           SELECT ${movedColumns(all, businessId)} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)
           ON CONFLICT (${quotedNames(["business_id", ...key])}) DO ${onConflict}`,
          [JSON.stringify(values)]
        )
      )
    })

    const link = Effect.fnUntraced(function* (
      businessId: BusinessId,
      { key, table }: BusinessTable,
      rows: ReadonlyArray<BusinessRow>
    ) {
      const reference = selfReferenceOf(table)
      if (reference === undefined) return
      const isSame = key.map((column) => `t."${column}" = r."${column}"`).join(" AND ")
      yield* execute(
        sql.unsafe(
          `UPDATE ${table} t SET "${reference}" = r."${reference}"
           FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) r
           WHERE t.business_id = ${businessId} AND ${isSame} AND t."${reference}" IS DISTINCT FROM r."${reference}"`,
          [JSON.stringify(rows.map(({ row }) => row))]
        )
      )
    })

    const keysIn = (businessId: BusinessId, moved: BusinessTable, only: ReadonlyArray<string>) =>
      Effect.map(
        keysOf(
          sql.unsafe(
            `SELECT to_jsonb(t) AS key FROM (SELECT ${quotedNames(moved.key)} FROM ${moved.table}
             WHERE ${rowsThatMove(businessId, moved)} AND ${blockOf(moved)} = ANY ($1::text[])) t`,
            [only]
          )
        ),
        (rows) => rows.map(({ key }) => key)
      )

    const remove = (
      businessId: BusinessId,
      { key, table }: BusinessTable,
      keys: ReadonlyArray<RowValues>
    ) => {
      const isSame = key.map((column) => ` AND t."${column}" = k."${column}"`).join("")
      return sql
        .withTransaction(
          Effect.andThen(
            sql.unsafe(allowChanges).unprepared,
            sql.unsafe(
              `DELETE FROM ${table} t USING jsonb_populate_recordset(NULL::${table}, $1::jsonb) k
               WHERE t.business_id = ${businessId}${isSame}`,
              [JSON.stringify(keys)]
            )
          )
        )
        .pipe(
          Effect.catchIf(
            ({ reason }) => reason._tag === "ConstraintError",
            () => Effect.void
          ),
          Effect.orDie,
          Effect.asVoid
        )
    }

    const reserveIds = Effect.fnUntraced(function* (businessId: BusinessId, { table }: BusinessTable) {
      const sequences = yield* sequencesOf(sql`
        SELECT pg_get_serial_sequence(${table}, attname) AS sequence, attname::text AS column FROM pg_attribute
        WHERE attrelid = ${table}::regclass AND attidentity <> '' AND attname <> 'business_id'`)
      for (const { column, sequence } of sequences) {
        const whereBehind = `
          FROM (SELECT max("${column}") AS highest FROM ${table} WHERE business_id = ${businessId}) s
          WHERE s.highest > coalesce(pg_sequence_last_value('${sequence}'::regclass), 0)`
        const [behind] = yield* countsOf(
          sql.unsafe(`SELECT count(*)::int8 AS rows ${whereBehind}`).unprepared
        )
        if (behind?.rows !== 1) continue
        yield* sql
          .withTransaction(
            Effect.andThen(
              // An id that is drawn between the comparison and `setval` could be higher than the one that `setval` sets, and
              // the sequence would then give that id again. A change of the sequence, here to what it is, waits for all who
              // have drawn an id and keeps others from drawing one; a lock of the table would not, because ids of trips are
              // drawn before the insertion.
              execute(sql.unsafe(`ALTER SEQUENCE ${sequence} NO CYCLE`).unprepared),
              execute(sql.unsafe(`SELECT setval('${sequence}', s.highest) ${whereBehind}`).unprepared)
            )
          )
          .pipe(Effect.orDie)
      }
    })

    return BusinessRows.of({
      shape: shape(false),
      linkedShape: shape(true),
      inSnapshot,
      count,
      blocks,
      keysIn,
      remove,
      insert,
      link,
      reserveIds,
      sum
    })
  })
)
