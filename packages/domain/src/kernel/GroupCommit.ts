/**
 * Many small writes as few large ones: whoever comes while a write is under way waits for the next, which takes all of
 * them at once. Nobody is told "written" before it is.
 */
import { Deferred, Effect, Exit, Latch, type Scope } from "effect"

/** How large one write may be, and what makes it. */
export interface GroupCommitOptions<A, B> {
  /** How much of a write one item is. */
  readonly weight: (item: A) => number
  /** How much one write holds; a single item that weighs more is written alone. */
  readonly most: number
  /** Writes the items, all or none, and answers for each of them, in their order. */
  readonly write: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>>
}

interface Waiting<A, B> {
  readonly item: A
  readonly written: Deferred.Deferred<B>
}

/** What a write came to for one of its items. */
const answerAt = <B>(exit: Exit.Exit<ReadonlyArray<B>>, index: number): Exit.Exit<B> => {
  if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
  const answer = exit.value[index]
  return answer === undefined
    ? Exit.die(new Error("A write did not answer for each of its items"))
    : Exit.succeed(answer)
}

/**
 * Starts the writer in the scope, and gives the function that hands it an item and waits for the write it was part of.
 * A write that dies, dies for each who waited for it. An item that was handed over is written even if whoever handed
 * it over does not wait any longer.
 */
export const makeGroupCommit = Effect.fnUntraced(function* <A, B>({
  most,
  weight,
  write
}: GroupCommitOptions<A, B>): Effect.fn.Return<(item: A) => Effect.Effect<B>, never, Scope.Scope> {
  const some = Latch.makeUnsafe()
  let waiting: Array<Waiting<A, B>> = []
  let closed = false

  const nextGroup = () => {
    let weighed = 0
    const end = waiting.findIndex(({ item }, index) => {
      weighed += weight(item)
      return index > 0 && weighed > most
    })
    const group = end === -1 ? waiting : waiting.slice(0, end)
    waiting = waiting.slice(group.length)
    if (waiting.length === 0) some.closeUnsafe()
    return group
  }

  const writeGroup = Effect.gen(function* () {
    const group = nextGroup()
    const exit = yield* Effect.exit(write(group.map(({ item }) => item)))
    for (const [index, { written }] of group.entries()) {
      const answer = answerAt(exit, index)
      yield* Deferred.done(written, answer)
    }
  })

  // Whoever still waits when the writer goes would wait for ever.
  yield* Effect.addFinalizer(() =>
    Effect.suspend(() => {
      closed = true
      return Effect.forEach(waiting, ({ written }) => Deferred.interrupt(written), { discard: true })
    })
  )
  yield* Effect.andThen(some.await, Effect.uninterruptible(writeGroup)).pipe(
    Effect.forever,
    Effect.forkScoped
  )

  return (item) =>
    Effect.suspend(() => {
      if (closed) return Effect.interrupt
      const written = Deferred.makeUnsafe<B>()
      waiting.push({ item, written })
      some.openUnsafe()
      return Deferred.await(written)
    })
})
