/** Runs random sequences of steps. A failure reports the shortest failing sequence, and how to repeat it. */
import { assert } from "@effect/vitest"
import { Arbitrary, Cause, Effect, Schema } from "effect"
import { Step } from "./Step.ts"

/** The value that a failure prints: `LIVERY_TEST_MODEL_REPLAY` runs that sequence alone. */
const replay = process.env["LIVERY_TEST_MODEL_REPLAY"]

/** JSON with a line for each element of a list. */
const lines = (input: unknown) =>
  JSON.stringify(input)
    .replaceAll(/\},?(?=\{)/gu, "},\n")
    .replaceAll(/"(\w+)":/gu, "$1: ")

/**
 * Runs a body for `runs` random inputs of growing size. The first failing input is shrunk, and the failure shows it,
 * its cause and the value that repeats it.
 */
export const checkInputs = Effect.fnUntraced(function* <A, E, R>(
  inputs: Schema.Schema<A>,
  { runs, size }: { readonly runs: number; readonly size: number },
  body: (input: A) => Effect.Effect<unknown, E, R>
) {
  const result = yield* Arbitrary.checkEffect(
    Arbitrary.schema(inputs),
    (input) =>
      body(input).pipe(
        Effect.as(true),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause) ? Effect.interrupt : Effect.fail(Cause.pretty(cause))
        )
      ),
    { runs, size, maxShrinks: 400, replay }
  )
  if (result._tag === "Falsified") {
    const why = result.failure._tag === "PropertyError" ? result.failure.error : "false"
    assert.fail(`LIVERY_TEST_MODEL_REPLAY='${result.replay}'\n${lines(result.shrunkInput)}\n${why}`)
  }
  assert.strictEqual(result._tag, "Passed")
})

/** The longest sequence, in steps. */
const longest = 50

const sequences = Schema.Array(Step).check(Schema.isMaxLength(longest))

/** {@link checkInputs} for sequences of steps. */
export const checkSequences = <E, R>(
  runs: number,
  compareSteps: (steps: ReadonlyArray<Step>) => Effect.Effect<unknown, E, R>
) => checkInputs(sequences, { runs, size: longest }, compareSteps)

/** The same `count` random sequences in each run. */
export const sampleSequences = (count: number) =>
  Arbitrary.sampleEffect(Arbitrary.schema(sequences), { count, size: longest, seed: 1 })
