/** The contract of `Readiness`. */
import { Readiness } from "@livery/domain"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { contract } from "./Contract.ts"

// By the real clock, which has to agree with the database's.
export const readiness = contract(
  "readiness",
  (it) => {
    it.effect("names no missing part of a process that is ready", () =>
      Effect.gen(function* () {
        const readiness = yield* Readiness
        assert.deepStrictEqual(yield* readiness.check, [])
      })
    )
  },
  { excludeTestServices: true }
)
