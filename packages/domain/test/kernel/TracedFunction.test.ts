import { assert, describe, it } from "@effect/vitest"
import { traced } from "@livery/domain"
import { Effect, References, Tracer } from "effect"

/** A tracer that keeps the spans that it makes. */
const recorder = () => {
  const spans: Array<Tracer.Span> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

const inner = traced("inner")(function* (value: number) {
  yield* Effect.void
  return value + 1
})

const outer = traced("outer")(function* (value: number) {
  return yield* inner(value)
})

/** Runs an effect with a tracer. */
const recorded = (enabled: boolean) =>
  Effect.gen(function* () {
    const { spans, tracer } = recorder()
    const result = yield* outer(1).pipe(
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(References.TracerEnabled, enabled)
    )
    assert.strictEqual(result, 2)
    return spans
  })

describe("A traced function", () => {
  it.effect("is a span of its name in a trace, below the span of its caller", () =>
    Effect.gen(function* () {
      const [first, second, ...others] = yield* recorded(true)
      assert.deepStrictEqual([first?.name, second?.name, others.length], ["outer", "inner", 0])
      assert.strictEqual(second?.parent._tag === "Some" && second.parent.value.spanId, first?.spanId)
      assert.deepStrictEqual([first?.status._tag, second?.status._tag], ["Ended", "Ended"])
    })
  )

  it.effect("creates no span and reads no stack outside of a trace", () =>
    Effect.gen(function* () {
      const before = Error.stackTraceLimit
      let reads = 0
      Object.defineProperty(Error, "stackTraceLimit", {
        configurable: true,
        get: () => {
          reads += 1
          return before
        },
        set: () => {}
      })
      const spans = yield* recorded(false).pipe(
        Effect.ensuring(
          Effect.sync(() =>
            Object.defineProperty(Error, "stackTraceLimit", {
              configurable: true,
              writable: true,
              value: before
            })
          )
        )
      )
      assert.deepStrictEqual([spans.length, reads], [0, 0])
    })
  )

  it.effect("may return an effect instead of being a generator", () =>
    Effect.gen(function* () {
      const double = traced("double")((value: number) => Effect.succeed(value * 2))
      assert.strictEqual(yield* double(4), 8)
      assert.strictEqual(yield* Effect.provideService(double(4), References.TracerEnabled, false), 8)
    })
  )

  it.effect("runs anew each time that its effect runs", () =>
    Effect.gen(function* () {
      let calls = 0
      const count = traced("count")(function* () {
        yield* Effect.void
        calls += 1
        return calls
      })
      const effect = Effect.provideService(count(), References.TracerEnabled, false)
      assert.deepStrictEqual([yield* effect, yield* effect], [1, 2])
    })
  )

  it.effect("passes its effect and its arguments to the steps that follow it", () =>
    Effect.gen(function* () {
      const described = traced("described")(
        function* (value: number) {
          return yield* Effect.succeed(value)
        },
        (effect, value) => Effect.map(effect, (result) => `${value} is ${result}`)
      )
      for (const enabled of [true, false])
        assert.strictEqual(
          yield* Effect.provideService(described(3), References.TracerEnabled, enabled),
          "3 is 3"
        )
    })
  )

  it.effect("fails as its body fails, and an exception is a defect", () =>
    Effect.gen(function* () {
      const refuse = traced("refuse")(function* (isThrown: boolean) {
        if (isThrown) throw new TypeError("a fault")
        return yield* Effect.fail("refused" as const)
      })
      for (const enabled of [true, false]) {
        const provided = Effect.provideService(References.TracerEnabled, enabled)
        assert.strictEqual(yield* Effect.flip(provided(refuse(false))), "refused")
        const exit = yield* Effect.exit(provided(refuse(true)))
        assert.isTrue(exit._tag === "Failure" && exit.cause.reasons[0]?._tag === "Die")
      }
    })
  )
})
