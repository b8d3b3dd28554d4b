import { assert, describe, it } from "@effect/vitest"
import { TripId } from "@livery/domain"
import { DateTime, Effect, Schema } from "effect"
import { rowsDecoder } from "../../src/sql/rows/RowDecoder.ts"
import { Instant, rowsAs } from "../../src/sql/rows/Rows.ts"

const Stop = Schema.Struct({ at: Schema.DateTimeUtcFromString, note: Schema.NullOr(Schema.String) })

const Row = Schema.Struct({
  trip_id: TripId,
  name: Schema.NullOr(Schema.String),
  starts: Instant,
  ends: Schema.NullOr(Instant),
  stops: Schema.Array(Stop),
  tags: Schema.Array(Schema.String),
  details: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  seen: Schema.optionalKey(Schema.DateTimeUtcFromMillis)
})

const row = {
  trip_id: 7,
  name: null,
  starts: new Date("2026-11-20T09:30:00Z"),
  ends: null,
  stops: [{ at: "2026-11-20T09:40:00+00:00", note: "gate" }],
  tags: ["a", "b"],
  details: { before: [1], after: null }
}

const decode = rowsDecoder(Row)

describe("rows of Livery's tables", () => {
  it.prop("are decoded as Effect's decoder decodes them", [Schema.toType(Schema.Array(Row))], ([values]) => {
    const rows = Schema.encodeSync(Schema.Array(Row))(values)
    assert.deepStrictEqual(decode(rows), Schema.decodeSync(Schema.Array(Row))(rows))
  })

  it("have instants of columns and of JSON, and other values unchanged", () => {
    const [decoded] = decode([row])
    assert.deepStrictEqual(decoded, {
      ...row,
      trip_id: TripId.make(7),
      starts: DateTime.makeUnsafe("2026-11-20T09:30:00Z"),
      stops: [{ at: DateTime.makeUnsafe("2026-11-20T09:40:00Z"), note: "gate" }]
    })
    assert.instanceOf(row.starts, Date)
  })

  it("lose the columns that the schema does not name", () => {
    assert.notProperty(decode([{ ...row, total: 3 }])[0], "total")
  })

  it("that lack a column are refused", () => {
    const { name: _name, ...others } = row
    assert.throws(() => decode([others]), /lacks name/u)
  })

  it("have fields in a column of details, which are empty if it lacks them", () => {
    const Thing = Schema.Struct({
      id: Schema.Int,
      note: Schema.NullOr(Schema.String),
      stops: Schema.Array(Schema.Struct({ address: Schema.String })),
      metadata: Schema.Record(Schema.String, Schema.String)
    })
    const empty = { note: null, stops: [], metadata: {} }
    const full = { note: "gate", stops: [{ address: "Here" }], metadata: { a: "b" } }
    assert.deepStrictEqual(
      rowsDecoder(Thing)([
        { id: 1, details: null },
        { id: 2, details: full }
      ]),
      [
        { id: 1, ...empty },
        { id: 2, ...full }
      ]
    )
    assert.throws(() => rowsDecoder(Thing)([{ details: full }]), /lacks id/u)
    assert.throws(() => rowsDecoder(Thing)([{ id: 1 }]), /lacks note/u)
  })

  it.effect("are checked in tests: a value of another shape dies", () =>
    Effect.gen(function* () {
      for (const wrong of [{ name: 3 }, { trip_id: -1 }, { stops: [{ at: row.starts, note: 3 }] }]) {
        const exit = yield* Effect.exit(rowsAs(Row)(Effect.succeed([{ ...row, ...wrong }])))
        assert.strictEqual(exit._tag, "Failure", JSON.stringify(wrong))
      }
    })
  )

  it("of a type with a decoding of its own are decoded by it", () => {
    const Amount = Schema.Struct({ amount: Schema.NullOr(Schema.FiniteFromString) })
    assert.deepStrictEqual(rowsDecoder(Amount)([{ amount: "12.5" }, { amount: null }]), [
      { amount: 12.5 },
      { amount: null }
    ])
  })
})
