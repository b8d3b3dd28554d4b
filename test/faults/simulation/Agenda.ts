/** What is to happen, and when. Time passes by nothing else. */
export interface Agenda {
  /** Seconds since the beginning. */
  readonly now: () => number
  /** Puts something on the agenda, `after` seconds from now; of things at one time, the first put comes first. */
  readonly put: (after: number, happen: () => void) => void
  /** Lets things happen until nothing is left or the time is over. */
  readonly run: (until: number, afterEach: () => void) => void
}

interface Entry {
  readonly at: number
  readonly order: number
  readonly happen: () => void
}

const isBefore = (one: Entry, other: Entry) =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

export const makeAgenda = (): Agenda => {
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
    put: (after, happen) => {
      heap.push({ at: time + after, order, happen })
      order += 1
      rise(heap.length - 1)
    },
    run: (until, afterEach) => {
      for (let entry = take(); entry !== undefined && entry.at <= until; entry = take()) {
        time = entry.at
        entry.happen()
        afterEach()
      }
    }
  }
}
