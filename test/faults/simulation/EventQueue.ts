/** The future events of the simulation. Time advances only from one event to the next. */
export interface EventQueue {
  /** Seconds since the start. */
  readonly now: () => number
  /** Schedules an event `after` seconds from now. Events of the same time run in the order of these calls. */
  readonly schedule: (after: number, act: () => void) => void
  /** Runs the events up to the time `until`, each followed by `afterEach`. */
  readonly run: (until: number, afterEach: () => void) => void
}

interface Entry {
  readonly at: number
  readonly order: number
  readonly act: () => void
}

const isBefore = (one: Entry, other: Entry) =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

export const makeEventQueue = (): EventQueue => {
  const heap: Array<Entry> = []
  let time = 0
  let order = 0

  const swapIfBefore = (child: number, parent: number) => {
    const [below, above] = [heap[child], heap[parent]]
    if (below === undefined || above === undefined || !isBefore(below, above)) return false
    heap[child] = above
    heap[parent] = below
    return true
  }
  const rise = (from: number) => {
    for (let child = from; child > 0;) {
      const parent = (child - 1) >> 1
      if (!swapIfBefore(child, parent)) return
      child = parent
    }
  }
  const sink = () => {
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2]
      const [one, other] = [heap[left], heap[right]]
      if (one === undefined) return
      const child = other !== undefined && isBefore(other, one) ? right : left
      if (!swapIfBefore(child, parent)) return
      parent = child
    }
  }
  const take = () => {
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    heap[0] = last
    sink()
    return first
  }

  return {
    now: () => time,
    schedule: (after, act) => {
      heap.push({ at: time + after, order, act })
      order += 1
      rise(heap.length - 1)
    },
    run: (until, afterEach) => {
      for (let entry = take(); entry !== undefined && entry.at <= until; entry = take()) {
        time = entry.at
        entry.act()
        afterEach()
      }
    }
  }
}
