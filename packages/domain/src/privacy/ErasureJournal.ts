/** The progress of an erasure: each window of a step is a transaction, which also stores where the next one begins. */
import { DateTime, Duration, Effect, Semaphore } from "effect"
import { Transaction } from "../kernel/Transaction.ts"
import {
  ErasureRepository,
  type ErasureProgress,
  type HeldErasure,
  type StepProgress
} from "./ErasureRepository.ts"

/**
 * How long after a window another process may continue an erasure. A window itself may take longer, because its transaction
 * locks the erasure.
 */
export const erasureLease = Duration.minutes(2)

/** The records that a window erased, and where the next one begins; null after the last one. */
export interface ErasedWindow {
  readonly count: number
  readonly next: string | null
}

/**
 * - `done`: how much of a step is done.
 * - `window`: runs a window of a step in a transaction, when its turn comes: a process runs one window at a time. It fails as `onTaken` does if another process continues the erasure.
 * - `windows`: runs the remaining windows of a step, each from where the last one ended, and returns the number of all
 *   records that the step erased. A step begins with the empty text.
 */
export interface ErasureJournal<E> {
  readonly done: (step: string) => StepProgress
  readonly window: (step: string, work: Effect.Effect<ErasedWindow>) => Effect.Effect<ErasedWindow, E>
  readonly windows: (
    step: string,
    work: (after: string) => Effect.Effect<ErasedWindow>,
    onWindow: (window: ErasedWindow) => void
  ) => Effect.Effect<number, E>
}

const notBegun: StepProgress = { count: 0, after: "" }

/** The longest pause between two windows. */
const longestPause = Duration.seconds(2)

/**
 * Makes the journals of erasures. `onTaken` runs in each window after another process has continued the erasure. With `pauses`,
 * a pause of twice the time of a window follows it, so that the reading leaves most of the time to requests.
 */
export const makeErasureJournals = Effect.gen(function* () {
  const transaction = yield* Transaction
  const erasures = yield* ErasureRepository
  // Windows read many copies: those of several erasures at once would slow the requests of all businesses.
  const turns = yield* Semaphore.make(1)

  return <E>(
    held: HeldErasure,
    onTaken: Effect.Effect<void, E>,
    { pauses = false }: { readonly pauses?: boolean } = {}
  ): ErasureJournal<E> => {
    let progress: ErasureProgress = held.progress
    const done = (step: string) => progress[step] ?? notBegun

    const window = Effect.fnUntraced(function* (step: string, work: Effect.Effect<ErasedWindow>) {
      const [erased, after] = yield* transaction
        .run(
          Effect.gen(function* () {
            const isHeld = yield* erasures.lock(held)
            if (!isHeld) yield* onTaken
            const erased = yield* work
            const after = {
              ...progress,
              [step]: { count: done(step).count + erased.count, after: erased.next }
            }
            const until = DateTime.addDuration(yield* DateTime.now, erasureLease)
            if (isHeld) yield* erasures.save(held, after, until)
            return [erased, after] as const
          })
        )
        .pipe(turns.withPermit)
      progress = after
      return erased
    })

    const windows = Effect.fnUntraced(function* (
      step: string,
      work: (after: string) => Effect.Effect<ErasedWindow>,
      onWindow: (window: ErasedWindow) => void
    ) {
      let { after } = done(step)
      while (after !== null) {
        const [time, erased]: readonly [Duration.Duration, ErasedWindow] = yield* Effect.timed(
          window(step, work(after))
        )
        after = erased.next
        onWindow(erased)
        if (pauses) yield* Effect.sleep(Duration.min(Duration.times(time, 2), longestPause))
      }
      return done(step).count
    })

    return { done, window, windows }
  }
})
