/**
 * Writes many small items as a few batches: items that arrive while one batch is being written form the next one.
 * One statement and one commit for many items cost far less than one for each.
 */
import { Cause, Deferred, Effect, Exit, Latch } from "effect"
import type { Duration, Scope } from "effect"
import { logFailure } from "../Faults.ts"

/** The bounds of the batches of a writer. */
export interface BatchBounds<A> {
  /** An item's weight, which counts towards `maxWeight`; 1 by default. */
  readonly weight?: (item: A) => number
  /** The most that one batch may weigh, unbounded by default. An item that weighs more is written alone. */
  readonly maxWeight?: number
}

/** How `makeBatchWriter` forms and writes its batches. */
export interface BatchWriterOptions<A> extends BatchBounds<A> {
  /** How long the first item of a batch waits for more of them; not at all by default. */
  readonly delay?: () => Duration.Input
  /** Writes a batch. It is not interrupted when the scope closes, unless it allows interruption itself. */
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<void>
  /** Called with the items that will not be written, because the scope has closed. */
  readonly dropped?: (items: ReadonlyArray<A>) => void
}

/** Starts a writer in the scope. Returns a function that adds an item to the next batch without waiting. */
export const makeBatchWriter = Effect.fnUntraced(function* <A>({
  delay,
  dropped = () => undefined,
  maxWeight = Number.POSITIVE_INFINITY,
  weight = () => 1,
  write
}: BatchWriterOptions<A>): Effect.fn.Return<(item: A) => void, never, Scope.Scope> {
  const filled = Latch.makeUnsafe()
  let waiting: Array<A> = []
  let closed = false

  const takeBatch = () => {
    let sum = 0
    const end = waiting.findIndex((item, index) => {
      sum += weight(item)
      return index > 0 && sum > maxWeight
    })
    const batch = end === -1 ? waiting : waiting.slice(0, end)
    waiting = waiting.slice(batch.length)
    if (waiting.length === 0) filled.closeUnsafe()
    return batch
  }

  const writeBatch = Effect.suspend(() => write(takeBatch())).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterruptsOnly(cause),
      (cause) => logFailure("A batch could not be written", cause)
    ),
    Effect.uninterruptible
  )

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      closed = true
      if (waiting.length > 0) dropped(waiting)
    })
  )
  yield* filled.await.pipe(
    Effect.andThen(delay === undefined ? Effect.void : Effect.suspend(() => Effect.sleep(delay()))),
    Effect.andThen(writeBatch),
    Effect.forever,
    Effect.forkScoped
  )

  return (item) => {
    if (closed) {
      dropped([item])
      return
    }
    waiting.push(item)
    filled.openUnsafe()
  }
})

interface Request<A, B> {
  readonly item: A
  readonly result: Deferred.Deferred<B>
}

/** The result of one item of a batch. */
const resultAt = <B>(exit: Exit.Exit<ReadonlyArray<B>>, index: number): Exit.Exit<B> => {
  if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
  const result = exit.value[index]
  return result === undefined
    ? Exit.die(new Error("A batch was written without a result for each of its items"))
    : Exit.succeed(result)
}

/**
 * Starts a writer in the scope whose callers wait: the returned function adds an item, and succeeds with its result
 * when its batch was written. `write` returns a result for each item, in order.
 *
 * A write that dies fails each item of its batch. An item is written even if its caller is interrupted.
 */
export const makeAwaitedBatchWriter = Effect.fnUntraced(function* <A, B>({
  maxWeight,
  weight,
  write
}: BatchBounds<A> & {
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
}): Effect.fn.Return<(item: A) => Effect.Effect<B>, never, Scope.Scope> {
  const add = yield* makeBatchWriter<Request<A, B>>({
    ...(weight === undefined ? {} : { weight: ({ item }) => weight(item) }),
    ...(maxWeight === undefined ? {} : { maxWeight }),
    write: Effect.fnUntraced(function* (requests) {
      const exit = yield* Effect.exit(write(requests.map(({ item }) => item)))
      for (const [index, { result }] of requests.entries()) Deferred.doneUnsafe(result, resultAt(exit, index))
    }),
    dropped: (requests) => {
      for (const { result } of requests) Deferred.doneUnsafe(result, Effect.interrupt)
    }
  })
  return (item) =>
    Effect.suspend(() => {
      const result = Deferred.makeUnsafe<B>()
      add({ item, result })
      return Deferred.await(result)
    })
})
