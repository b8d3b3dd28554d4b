import { importedAfterStart } from "@livery/domain"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"

const counted = () => {
  let imports = 0
  const load = () => Promise.resolve((imports += 1))
  return { load, imports: () => imports }
}

it.effect("a module that a server needs later is imported a second after the start, without a use", () =>
  Effect.gen(function* () {
    const { imports, load } = counted()
    void (yield* importedAfterStart(load))
    yield* TestClock.adjust("999 millis")
    assert.strictEqual(imports(), 0)
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(imports(), 1)
  })
)

it.effect("a module that a server needs sooner is imported with its first use, once", () =>
  Effect.gen(function* () {
    const { imports, load } = counted()
    const imported = yield* importedAfterStart(load)
    assert.deepStrictEqual([yield* imported, yield* imported], [1, 1])
    yield* TestClock.adjust("1 second")
    assert.strictEqual(imports(), 1)
  })
)
