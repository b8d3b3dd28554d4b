import { assert, describe, it } from "@effect/vitest"
import { DateTime, Equal, Hash, Schema } from "effect"
import { inspect } from "node:util"
import { utcOfMillis } from "../../../src/kernel/time/UtcOfMillis.ts"

const [one, effects] = [
  utcOfMillis(1_790_000_000_123),
  DateTime.toUtc(DateTime.makeUnsafe(1_790_000_000_123))
]

describe("an instant of milliseconds", () => {
  it("equals Effect's, in both directions, and has the same hash", () => {
    assert.isTrue(Equal.equals(one, effects))
    assert.isTrue(Equal.equals(effects, one))
    assert.strictEqual(Hash.hash(one), Hash.hash(effects))
    assert.deepStrictEqual(one, effects)
    assert.isFalse(Equal.equals(one, utcOfMillis(0)))
  })

  it("is one of Effect's instants in UTC", () => {
    assert.isTrue(DateTime.isDateTime(one))
    assert.isTrue(DateTime.isUtc(one))
    assert.strictEqual(Schema.decodeSync(Schema.DateTimeUtc)(one), one)
  })

  it("is written, compared, added to and divided in parts as Effect's are", () => {
    assert.strictEqual(JSON.stringify(one), JSON.stringify(effects))
    assert.strictEqual(inspect(one), inspect(effects))
    assert.strictEqual(DateTime.formatIso(one), DateTime.formatIso(effects))
    assert.deepStrictEqual(DateTime.toPartsUtc(one), DateTime.toPartsUtc(effects))
    assert.isTrue(Equal.equals(DateTime.add(one, { months: 1 }), DateTime.add(effects, { months: 1 })))
    assert.isTrue(DateTime.isGreaterThan(one, utcOfMillis(0)))
    assert.strictEqual(
      DateTime.formatIsoZoned(DateTime.setZoneNamedUnsafe(one, "Europe/Zurich")),
      DateTime.formatIsoZoned(DateTime.setZoneNamedUnsafe(effects, "Europe/Zurich"))
    )
  })

  it("has the same enumerable properties, also after its parts were computed", () => {
    DateTime.toPartsUtc(one)
    assert.deepStrictEqual(Object.keys(one), Object.keys(effects))
    assert.deepStrictEqual({ ...one }, { ...effects })
  })

  it("computes its parts once, and those of no other instant", () => {
    assert.strictEqual(DateTime.toPartsUtc(one), DateTime.toPartsUtc(one))
    assert.strictEqual(DateTime.toPartsUtc(utcOfMillis(0)).year, 1970)
  })

  it("of no number is refused as Effect does", () => {
    assert.throws(() => utcOfMillis(Number.NaN), /Invalid date/u)
  })
})
