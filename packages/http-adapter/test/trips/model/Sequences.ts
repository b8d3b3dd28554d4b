/** Sequences by chance, the shortest that fails, and how to have that one again. */
import { assert } from "@effect/vitest"
import { Arbitrary, Cause, Effect, Schema } from "effect"
import { Step } from "./Step.ts"

/** As a failure tells it: `LIVERY_TEST_MODEL_REPLAY` runs that one alone. */
const replay = process.env["LIVERY_TEST_MODEL_REPLAY"]

/** One line for each thing in a list, and the rest as it is. */
const lines = (input: unknown) =>
  JSON.stringify(input)
    .replaceAll(/\},?(?=\{)/gu, "},\n")
    .replaceAll(/"(\w+)":/gu, "$1: ")

/**
 * Runs a body for so many inputs by chance, larger and larger ones. The first that fails is made as small as can be, and
 * the failure tells that one, what went wrong, and what to set to have it again.
 */
export const everyInput = Effect.fnUntraced(function* <A, E, R>(
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

/** {@link everyInput} for sequences of steps, longer and longer ones. */
export const everySequence = <E, R>(
  runs: number,
  walk: (steps: ReadonlyArray<Step>) => Effect.Effect<unknown, E, R>
) => everyInput(sequences, { runs, size: longest }, walk)

/** So many sequences, the same every time. */
export const someSequences = (count: number) =>
  Arbitrary.sampleEffect(Arbitrary.schema(sequences), { count, size: longest, seed: 1 })
