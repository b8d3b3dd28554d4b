import { fieldIssues } from "../../../src/kernel/fields/FieldIssue.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { requiredUnless } from "../../../src/kernel/fields/FieldIssue.ts"
import { listOf } from "../../../src/kernel/fields/List.ts"
import { orNull } from "../../../src/kernel/fields/Optional.ts"
import { text } from "../../../src/kernel/fields/Text.ts"

const Inner = Schema.Struct({
  width: Schema.Int,
  unit: orNull(Schema.String),
  names: listOf(text(5), { most: 3 })
}).check(requiredUnless("unit", (input) => "unit" in input && input.unit !== null))
const Outer = Schema.Struct({ name: Schema.String, inner: orNull(Inner) })

/** The wrong fields of an input. */
const wrongFields = (input: unknown) =>
  Schema.decodeUnknownEffect(Outer, { errors: "all", reportInput: true })(input).pipe(
    Effect.flip,
    Effect.map(({ issue }) => fieldIssues(issue).map(({ field, issue }) => `${field} ${issue}`))
  )

describe("an object that may be absent", () => {
  it.effect("has each of its wrong fields named: plain ones, items of lists, and what a rule requires", () =>
    Effect.gen(function* () {
      const inner = { width: "wide", names: ["", "too long", "fine"] }
      assert.deepStrictEqual(yield* wrongFields({ name: 1, inner }), [
        "name invalid",
        "inner.width invalid",
        "inner.unit required",
        "inner.names.0 required",
        "inner.names.1 too_long"
      ])
    })
  )

  it.effect("is wrong as a whole if it is of another type", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* wrongFields({ name: "a", inner: 1 }), ["inner invalid"])
    })
  )
})
