/**
 * Bounds on who is at work at once, so that neither one guest nor a slow server elsewhere can hold up everybody else.
 * Whoever leaves its scope, or gives up waiting, gives its place to the next.
 */
import { Effect, type Scope, Semaphore } from "effect"

/** One semaphore for each name that somebody holds or waits for. */
const byName = (permits: number) => {
  const gates = new Map<string, { readonly gate: Semaphore.Semaphore; inside: number }>()
  const join = (name: string) => {
    const place = gates.get(name) ?? { gate: Semaphore.makeUnsafe(permits), inside: 0 }
    gates.set(name, place)
    place.inside += 1
    return place
  }
  const leave = (name: string, place: { inside: number }) => {
    place.inside -= 1
    if (place.inside === 0) gates.delete(name)
  }
  return (name: string): Effect.Effect<void, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => join(name)),
      (place) => Effect.sync(() => leave(name, place))
    ).pipe(Effect.flatMap(({ gate }) => Semaphore.takeScoped(gate, 1)))
}

/** Lets in one at a time of each name, first come, first served, until the scope closes. */
export const oneByOne = () => byName(1)

/** How many may be in at once, and how many of them may be one guest's. */
export interface Bounds {
  readonly all: number
  readonly ofGuest: number
}

const bounded = ({ all, ofGuest }: Bounds) => {
  const guests = byName(ofGuest)
  const gate = Semaphore.makeUnsafe(all)
  // A guest's own bound first: its other requests wait before the door, and not in everybody's way.
  return (guest: string) => Effect.andThen(guests(guest), Semaphore.takeScoped(gate, 1))
}

/**
 * Rooms behind one door: takes one for a guest until the scope closes, waiting for it. Those who are asking others,
 * and may have to wait for their servers, have at most the rooms of `asking`.
 */
export const makeRooms = ({ asking, ...bounds }: Bounds & { readonly asking: Bounds }) => {
  const room = bounded(bounds)
  const askingRoom = bounded(asking)
  return (guest: string, asksOthers: boolean): Effect.Effect<void, never, Scope.Scope> =>
    asksOthers ? Effect.andThen(askingRoom(guest), room(guest)) : room(guest)
}
