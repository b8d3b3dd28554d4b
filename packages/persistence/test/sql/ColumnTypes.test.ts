import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestDatabase } from "../../../../test/support/TestDatabase.ts"

/** Types of columns, each with a literal and the value that is read. */
const readable: ReadonlyArray<readonly [type: string, literal: string, value: unknown]> = [
  ["bool", "true", true],
  ["bytea", "\\x00ff", new Uint8Array([0, 255])],
  ['"char"', "a", "a"],
  ["name", "ada", "ada"],
  ["int2", "-7", -7],
  ["int4", "-70000", -70000],
  ["int8", "-9007199254740991", -9007199254740991],
  ["oid", "4294967295", 4294967295],
  ["float4", "0.5", 0.5],
  ["float8", "-1e300", -1e300],
  ["numeric", "-0.10", "-0.10"],
  ["text", "ä☕", "ä☕"],
  ["varchar", "", ""],
  ["char(3)", "a", "a  "],
  ["json", '{"a": [1, null]}', { a: [1, null] }],
  ["jsonb", "[]", []],
  ["uuid", "8b6b7fbc-6e3c-4a52-8d9c-0a1b2c3d4e5f", "8b6b7fbc-6e3c-4a52-8d9c-0a1b2c3d4e5f"],
  ["inet", "10.0.0.1", "10.0.0.1"],
  ["cidr", "10.0.0.0/8", "10.0.0.0/8"],
  ["xml", "<a/>", "<a/>"],
  ["date", "0099-02-28", "0099-02-28"],
  ["timestamp", "2026-03-29 02:30:00", "2026-03-29 02:30:00"],
  ["timestamp", "1999-12-31 23:59:59.000001", "1999-12-31 23:59:59.000001"],
  ["timestamp", "0001-01-01 00:00:00.5", "0001-01-01 00:00:00.5"],
  ["timestamptz", "2026-03-29 02:30:00.123456+02", new Date("2026-03-29T00:30:00.123Z")],
  ["xid", "4294967295", "4294967295"],
  ["xid8", "18446744073709551615", "18446744073709551615"],
  ["pg_lsn", "A0/1F", "A0/1F"],
  ["int8[]", "{1,NULL}", [1, null]],
  ["numeric[]", "{0.10}", ["0.10"]],
  ["date[]", "{2026-03-29}", ["2026-03-29"]],
  ["timestamp[]", '{"2026-03-29 02:30:00"}', ["2026-03-29 02:30:00"]],
  ["text[]", '{"a,b",NULL}', ["a,b", null]],
  ["jsonb[]", '{"{}"}', [{}]]
]

layer(TestDatabase.layer, { excludeTestServices: true })("the value of a column", (it) => {
  it.effect.each(readable)("of type %s, %s, is read exactly", ([type, literal, value]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql`SELECT ${literal}::${sql.literal(type)} AS value`
      const read = row?.["value"]
      assert.deepStrictEqual(read instanceof Uint8Array ? new Uint8Array(read) : read, value)
    })
  )

  it.effect("of any other type of PostgreSQL is refused with the column's name, also if it is NULL", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const types = yield* sql<{ type: string }>`
        SELECT format_type(oid, NULL) AS type FROM pg_type
        WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype IN ('b', 'r', 'm')`
      const refused: Array<string> = []
      for (const { type } of types) {
        const answer = yield* Effect.result(sql`SELECT NULL::${sql.literal(type)} AS value`)
        if (answer._tag === "Success") continue
        assert.match(answer.failure.message, /column value cannot be read: cast it to text|no binary output/u)
        refused.push(type)
      }
      for (const type of ["interval", "tsvector", "int4range", "regclass", "time without time zone", "money"])
        assert.include(refused, type)
      assert.isEmpty(
        readable.map(([type]) => type.replace(/\(.*/u, "")).filter((type) => refused.includes(type))
      )
    })
  )
})
