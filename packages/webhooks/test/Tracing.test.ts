import { assert, describe, it } from "@effect/vitest"
import { Tracing } from "@livery/domain"
import { Effect, Exit, Option } from "effect"
import { TestClock } from "effect/testing"
import { collectSpans } from "../../../test/support/CollectedSpans.ts"
import { busy, makeTestDispatcher, ok } from "./support/TestDispatcher.ts"

const collecting = () => {
  const { spans, tracing } = collectSpans()
  return {
    tracing,
    attempts: () => spans.filter(({ name }) => name === "webhook.attempt"),
    rounds: () => spans.filter(({ name }) => name.startsWith("worker."))
  }
}

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736"
const spanId = "00f067aa0ba902b7"

describe("with a tracer", () => {
  it.effect(
    "each attempt of a traced request's event has a span below the request's, from start to end",
    () =>
      Effect.gen(function* () {
        const { attempts, tracing } = collecting()
        const { add, posts, run } = makeTestDispatcher((_, nth) =>
          Effect.delay(Effect.succeed(nth === 1 ? busy : ok), "30 millis")
        )
        add(1, { traceParent: `00-${traceId}-${spanId}-01` })
        yield* run().pipe(Effect.provideService(Tracing, tracing))
        // The first attempt, the retry after a minute, and its end.
        for (const time of ["1 second", "2 minutes", "1 second"] as const) yield* TestClock.adjust(time)
        assert.strictEqual(posts.length, 2)
        assert.deepStrictEqual(
          attempts().map(({ attributes, parent, status, traceId }) => ({
            parent: Option.getOrUndefined(parent)?.spanId,
            traceId,
            attempt: attributes.get("livery.delivery.attempt"),
            millis: status._tag === "Ended" ? Number(status.endTime - status.startTime) / 1e6 : undefined,
            isSuccess: status._tag === "Ended" && Exit.isSuccess(status.exit)
          })),
          [
            { parent: spanId, traceId, attempt: 1, millis: 30, isSuccess: false },
            { parent: spanId, traceId, attempt: 2, millis: 30, isSuccess: true }
          ]
        )
      })
  )

  it.effect(
    "an event of a request that was not traced has no span, and each round of the dispatcher has its own",
    () =>
      Effect.gen(function* () {
        const { attempts, rounds, tracing } = collecting()
        const { add, posts, run } = makeTestDispatcher(() => Effect.succeed(ok))
        add()
        yield* run().pipe(Effect.provideService(Tracing, tracing))
        yield* TestClock.adjust("1 second")
        assert.strictEqual(posts.length, 1)
        assert.isEmpty(attempts())
        assert.deepStrictEqual(
          new Set(rounds().map(({ name }) => name)),
          new Set(["worker.claim_deliveries", "worker.record_results"])
        )
        for (const { parent, status } of rounds()) {
          assert.isTrue(Option.isNone(parent))
          assert.isTrue(status._tag === "Ended" && Exit.isSuccess(status.exit))
        }
      })
  )
})
