import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { TestClock } from "effect/testing"
import { busy, makeTestDispatcher, ok } from "./support/TestDispatcher.ts"

/** A tracer that keeps its spans. */
const collectingTracer = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { tracer, spans }
}

describe("with a tracer that collects spans", () => {
  it.effect("each attempt has a span, from its start to its end", () =>
    Effect.gen(function* () {
      const { spans, tracer } = collectingTracer()
      const { add, posts, run } = makeTestDispatcher((_, nth) =>
        Effect.delay(Effect.succeed(nth === 1 ? busy : ok), "30 millis")
      )
      add()
      yield* run().pipe(Effect.withTracer(tracer))
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(posts.length, 2)
      const attempts = spans.filter(({ name }) => name === "WebhookDispatcher.attempt")
      assert.deepStrictEqual(
        attempts.map(({ status }) =>
          status._tag === "Ended" ? [Number(status.endTime - status.startTime) / 1e6, status.exit._tag] : []
        ),
        [
          [30, "Success"],
          [30, "Success"]
        ]
      )
    })
  )
})
