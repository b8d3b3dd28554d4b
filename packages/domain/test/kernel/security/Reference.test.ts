import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { makeStoreWithReference, storeUnderFreeName } from "../../../src/kernel/security/Reference.ts"

describe("the storing of a record under a new name", () => {
  it.effect("draws another name while names are taken", () =>
    Effect.gen(function* () {
      const taken = new Set(["a0", "a1"])
      const name = yield* storeUnderFreeName(
        (attempt) => Effect.succeed(`a${attempt}`),
        (drawn) => Effect.succeed(taken.has(drawn) ? Option.none() : Option.some(drawn))
      )
      assert.strictEqual(name, "a2")
    })
  )

  it.effect("ends with a defect when each of 20 references is refused", () =>
    Effect.gen(function* () {
      const references: Array<string> = []
      const randomBytes = (count: number) => Effect.succeed(new Uint8Array(count))
      const store = makeStoreWithReference({ randomBytes } as never, "TR")
      const exit = yield* Effect.exit(
        store((reference) => {
          references.push(reference)
          return Effect.succeed(Option.none())
        })
      )
      assert.isTrue(Exit.hasDies(exit))
      assert.lengthOf(references, 20)
      assert.strictEqual(references[0], "TR-0000000")
    })
  )
})
