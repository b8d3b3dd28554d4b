import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { pgArray } from "../../src/sql/statements/Parameters.ts"

const Values = <A extends string | number | boolean>(type: Schema.Schema<A>) =>
  Schema.Array(Schema.NullOr(type)) as Schema.Schema<ReadonlyArray<string | number | boolean | null>>

const columns = {
  "text[]": Values(Schema.String),
  "bigint[]": Values(Schema.Int),
  "boolean[]": Values(Schema.Boolean),
  "float8[]": Values(Schema.Finite)
} as const

/** The value as PostgreSQL can store it: without NUL characters and lone surrogates. */
const storable = (value: string | number | boolean | null) =>
  typeof value === "string" ? value.replaceAll("\u0000", "").toWellFormed() : value

layer(TestDatabase.layer)((it) => {
  const isRead = Effect.fnUntraced(function* (
    type: string,
    values: ReadonlyArray<string | number | boolean | null>
  ) {
    const sql = yield* SqlClient.SqlClient
    // Values of the type are compared, not their texts: PostgreSQL and JavaScript choose different digits
    // for some numbers.
    const [row] = yield* sql<{ same: boolean }>`
      SELECT ${pgArray(values)}::${sql.literal(type)} = ARRAY(
        SELECT value FROM jsonb_array_elements_text(${JSON.stringify(values)}::jsonb)
          WITH ORDINALITY AS element (value, position)
        ORDER BY position
      )::${sql.literal(type)} AS same`
    assert.isTrue(row?.same, JSON.stringify(values))
  })

  for (const [type, values] of Object.entries(columns))
    it.effect.prop(`a ${type} arrives in PostgreSQL unchanged`, { values }, ({ values }) =>
      isRead(type, values.map(storable))
    )

  it.effect("a number that PostgreSQL writes with other digits than JavaScript arrives unchanged", () =>
    isRead("float8[]", [284604409067866800, 5e-324, Number.MAX_VALUE])
  )

  it.effect("a parameter has the type that the statement requires, not that of its JavaScript value", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`
        SELECT ${1} || ${"x"}::text AS text, ${2 ** 40} + 1::int8 AS large, ${7}::numeric / 2 AS numeric,
${[null, null]}::int[] AS nulls, ${[1, 2]}::numeric[] AS numbers,
          pg_typeof(${1} + 1::int2)::text AS type`
      assert.deepStrictEqual(row, {
        text: "1x",
        large: 2 ** 40 + 1,
        numeric: "3.5000000000000000",
        nulls: [null, null],
        numbers: ["1", "2"],
        type: "smallint"
      })
    })
  )

  it.effect("a text[] of the characters of array syntax arrives unchanged", () =>
    isRead("text[]", ["", "NULL", "null", "{}", "{a,b}", '"', "\\", '\\"', "a\nb", " a ", "ä,☕", null])
  )
})
