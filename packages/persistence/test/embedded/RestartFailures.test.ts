import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { makeLogRestartFailure } from "../../src/embedded/RestartFailures.ts"

it.effect("the reason of a failed start is logged again only after another reason", () =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const capture = Logger.make((options) => void lines.push(Logger.formatJson.log(options)))
    const logFailure = makeLogRestartFailure("/srv/livery")
    for (const detail of ["disk full", "disk full", "disk full", "no files", "no files", "disk full"])
      yield* logFailure({ detail }).pipe(Effect.provide(Logger.layer([capture])))
    assert.deepStrictEqual(
      lines.map((line) => /disk full|no files/u.exec(line)?.[0]),
      ["disk full", "no files", "disk full"]
    )
  })
)
