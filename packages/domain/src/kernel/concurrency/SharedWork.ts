/**
 * Work that callers share: while work of a key is under way, further calls of that key that begin in the same iteration of the
 * event loop form a group, whose work is done once, at the end of the iteration. An example with three iterations:
 *
 *     1. a call begins               its work starts at once
 *     2. three more calls begin      they are a group: their work starts at the end of this iteration
 *     3. another call begins         it is alone: its work starts at the end of this iteration
 *
 * - A call that begins while no work of its key is under way starts at once, in its caller's fiber, as it would without this.
 * - A later call waits for the end of the iteration, so that it gets nothing that was read before it began. If it is alone in its
 *   iteration, its work then runs in its caller's fiber too.
 * - The calls of a group succeed or fail together.
 * - A caller that is interrupted continues at once. The work of a group is interrupted when its last caller is.
 */
import { Effect, Exit, type Fiber } from "effect"

/** The items of a group, in the order in which their calls began. */
export type Group<Item> = readonly [Item, ...ReadonlyArray<Item>]

/** How the work of calls is done, alone and in groups. */
export interface SharedWorkOptions<Key, Item, Shared, A, E> {
  /** The work of one call. */
  readonly alone: (key: Key, item: Item) => Effect.Effect<A, E>
  /** Starts the work of a group. */
  readonly together: (key: Key, items: Group<Item>) => Fiber.Fiber<Shared, E>
  /** The part of a group's result that belongs to an item. */
  readonly resultOf: (shared: Shared, item: Item) => A
  /** The most calls of a group; unlimited by default. */
  readonly most?: number
  /** Runs a function at the end of the present iteration of the event loop: `setImmediate` on Node. */
  readonly atEndOfIteration: (run: () => void) => unknown
}

/** A call that waits for the result of its group. */
interface Call<Item, A, E> {
  readonly item: Item
  readonly resume: (result: Effect.Effect<A, E>) => void
  isInterrupted: boolean
  group: RunningGroup | undefined
}

interface RunningGroup {
  callers: number
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

/**
 * The most keys that are remembered although no work of theirs is under way. To forget each key at once would cost more: V8
 * keeps the tables of a Map whose entries come and go, with what they refer to, until it collects old objects.
 */
const maxIdleKeys = 1000

/** The work of a key. */
interface Progress<Item, A, E> {
  /** How many works are under way. */
  running: number
  /** The calls that began in this iteration and wait for its end. */
  waiting: Array<Call<Item, A, E>>
}

/** Makes the function that calls shared work. */
export const makeSharedWork = <Key, Item, Shared, A, E>({
  alone,
  atEndOfIteration,
  most = Number.POSITIVE_INFINITY,
  resultOf,
  together
}: SharedWorkOptions<Key, Item, Shared, A, E>): ((key: Key, item: Item) => Effect.Effect<A, E>) => {
  const progressByKey = new Map<Key, Progress<Item, A, E>>()

  const isIdle = ({ running, waiting }: Progress<Item, A, E>) => running === 0 && waiting.length === 0

  const forgetIdleKeys = () => {
    for (const [key, progress] of progressByKey) if (isIdle(progress)) progressByKey.delete(key)
  }

  const progressOf = (key: Key): Progress<Item, A, E> => {
    const existing = progressByKey.get(key)
    if (existing !== undefined) return existing
    if (progressByKey.size >= maxIdleKeys) forgetIdleKeys()
    const progress = { running: 0, waiting: [] }
    progressByKey.set(key, progress)
    return progress
  }

  const runAlone = (key: Key, item: Item, progress: Progress<Item, A, E>): Effect.Effect<A, E> => {
    let isRunning = false
    const start = Effect.suspend(() => {
      progress.running += 1
      isRunning = true
      return alone(key, item)
    })
    return Effect.ensuring(
      start,
      Effect.sync(() => {
        // An interrupted call may end before it started.
        if (isRunning) progress.running -= 1
      })
    )
  }

  const runTogether = (key: Key, calls: Group<Call<Item, A, E>>, progress: Progress<Item, A, E>) => {
    const [first, ...others] = calls
    progress.running += 1
    const fiber = together(key, [first.item, ...others.map(({ item }) => item)])
    const group = { callers: calls.length, fiber }
    for (const call of calls) call.group = group
    fiber.addObserver((exit) => {
      progress.running -= 1
      for (const { item, resume } of calls) resume(Exit.map(exit, (shared) => resultOf(shared, item)))
    })
  }

  const startWaiting = (key: Key, progress: Progress<Item, A, E>) => {
    const calls = progress.waiting.filter(({ isInterrupted }) => !isInterrupted)
    progress.waiting = []
    for (let from = 0; from < calls.length; from += most) {
      const [first, ...others] = calls.slice(from, from + most)
      if (first === undefined) continue
      if (others.length > 0) runTogether(key, [first, ...others], progress)
      else first.resume(runAlone(key, first.item, progress))
    }
  }

  const interrupt = (call: Call<Item, A, E>) => {
    call.isInterrupted = true
    if (call.group === undefined) return
    call.group.callers -= 1
    if (call.group.callers === 0) call.group.fiber.interruptUnsafe()
  }

  const joinGroup = (key: Key, item: Item, progress: Progress<Item, A, E>): Effect.Effect<A, E> =>
    Effect.callback((resume) => {
      const call: Call<Item, A, E> = { item, resume, isInterrupted: false, group: undefined }
      if (progress.waiting.push(call) === 1) atEndOfIteration(() => startWaiting(key, progress))
      return Effect.sync(() => interrupt(call))
    })

  return (key, item) =>
    Effect.suspend(() => {
      const progress = progressOf(key)
      return (isIdle(progress) ? runAlone : joinGroup)(key, item, progress)
    })
}
