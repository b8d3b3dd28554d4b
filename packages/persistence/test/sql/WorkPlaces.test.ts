import { assert, it } from "@effect/vitest"
import { WorkNotifier } from "@livery/domain"
import { Deferred, Duration, Effect, Layer, Redacted } from "effect"
import { citusCatalogue } from "../../../../test/support/CitusCatalogue.ts"
import { administer, TestDatabase } from "../../../../test/support/TestDatabase.ts"
import { layer as pgLayer } from "../../src/sql/connections/PgClient.ts"
import { distribute } from "../../src/sql/schema/Distribution.ts"
import * as WorkPlaces from "../../src/sql/places/WorkPlaces.ts"

it.live("an event that this process commits wakes the workers of every place of a distributed database", () =>
  Effect.gen(function* () {
    const { url } = yield* TestDatabase.create
    yield* administer(Redacted.value(url), citusCatalogue)
    yield* Effect.gen(function* () {
      yield* distribute()
      const notifier = yield* WorkNotifier
      const woken: Array<Deferred.Deferred<void>> = []
      const worker = Layer.effectDiscard(
        Effect.gen(function* () {
          const done = yield* Deferred.make<void>()
          woken.push(done)
          yield* (yield* WorkNotifier)
            .wait("events", Duration.hours(1))
            .pipe(Effect.andThen(Deferred.succeed(done, undefined)), Effect.forkScoped)
        })
      )
      const places = WorkPlaces.layer({ url })
      yield* Layer.build(WorkPlaces.inEachPlace(() => worker).pipe(Layer.provide(places)))
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => woken.length > 1 })
      yield* notifier.notify("events")
      yield* Effect.forEach(woken, Deferred.await)
      assert.isAbove(woken.length, 1)
    }).pipe(Effect.provide(Layer.merge(pgLayer({ url }), WorkNotifier.layer)))
  }).pipe(Effect.scoped)
)
