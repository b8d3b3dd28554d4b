/** The tests of a record over HTTP that has a model. */
import type { Vitest } from "@effect/vitest"
import { Effect, Schema, type Scope } from "effect"
import { extent } from "../../../../test/faults/support/Extent.ts"
import type { Take } from "../../../../test/support/models/Model.ts"
import type { Ports } from "../support/TestPorts.ts"
import { follow, type Modelled, takeConcurrently } from "./Modelled.ts"

/** A kind of record with a model. */
export interface ModelledKind<M, Step extends string, Status extends string> {
  readonly model: { readonly start: M; readonly take: Take<M, Step> }
  readonly steps: Schema.Literals<ReadonlyArray<Step>>
  /** The steps that the domain's test of the model does not take in each status, because they need more than its ports. */
  readonly stepsOverHttp: ReadonlyArray<Step>
  readonly statuses: Schema.Literals<ReadonlyArray<Status>>
  /** The steps that lead to each status. */
  readonly ways: Readonly<Record<Status, ReadonlyArray<Step>>>
  /** The steps before each pair of concurrent steps. */
  readonly waysToPairs: ReadonlyArray<ReadonlyArray<Step>>
  /** The steps that may be concurrent. Steps of the clock are not, because all records share it. */
  readonly concurrentSteps: ReadonlyArray<Step>
  /** The model of steps that are taken concurrently with that record. */
  readonly takeFrom: (before: M) => Take<M, Step>
  /** Sets up a business. Returns the effect that makes a record. */
  readonly setUp: Effect.Effect<
    { readonly newRecord: Effect.Effect<Modelled<M, Step, never, never>, unknown> },
    unknown,
    Ports | Scope.Scope
  >
}

/** How long the tests of concurrent and random steps may take. */
const timeout = extent(600_000, 120_000)

/** Adds the tests that every kind of record with a model passes. */
export const testModel = <M, Step extends string, Status extends string>(
  it: Vitest.MethodsNonLive<Ports>,
  {
    concurrentSteps,
    model,
    setUp,
    statuses,
    steps: stepSchema,
    stepsOverHttp,
    takeFrom,
    ways,
    waysToPairs
  }: ModelledKind<M, Step, Status>
) => {
  it.effect("accepts the steps that its status permits, and no others", () =>
    Effect.gen(function* () {
      const { newRecord } = yield* setUp
      for (const status of statuses.literals)
        for (const step of extent(stepSchema.literals, stepsOverHttp))
          yield* follow(yield* newRecord, model, [...ways[status], step])
    })
  )

  it.effect.prop(
    "equals its model after random steps",
    { steps: Schema.Array(stepSchema).check(Schema.isMinLength(4), Schema.isMaxLength(12)) },
    ({ steps }) =>
      Effect.gen(function* () {
        const { newRecord } = yield* setUp
        yield* follow(yield* newRecord, model, steps)
      }),
    { arbitrary: { runs: extent(200, 8) }, timeout }
  )

  it.effect(
    "has after any two concurrent steps the state of the same steps in some order",
    () =>
      Effect.gen(function* () {
        const { newRecord } = yield* setUp
        const pairs = concurrentSteps.flatMap((one, index) =>
          concurrentSteps.slice(index).map((other) => [one, other] as const)
        )
        for (const way of waysToPairs)
          for (const [index, pair] of pairs.entries()) {
            if (index % extent(1, 6) !== 0) continue
            const record = yield* newRecord
            const before = yield* follow(record, model, way)
            yield* takeConcurrently(record, { before, take: takeFrom(before) }, pair)
          }
      }),
    timeout
  )

  it.effect.prop(
    "has after random concurrent steps the state of the same steps in some order",
    {
      steps: Schema.Array(Schema.Literals(concurrentSteps)).check(
        Schema.isMinLength(3),
        Schema.isMaxLength(5)
      ),
      status: statuses
    },
    ({ status, steps }) =>
      Effect.gen(function* () {
        const { newRecord } = yield* setUp
        const record = yield* newRecord
        const before = yield* follow(record, model, ways[status])
        yield* takeConcurrently(record, { before, take: takeFrom(before) }, steps)
      }),
    { arbitrary: { runs: extent(200, 6) }, timeout }
  )
}
