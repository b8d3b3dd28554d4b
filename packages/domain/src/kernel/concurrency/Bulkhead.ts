/**
 * A bulkhead: limits how much work runs concurrently, in total and per tenant, so that no tenant delays the others. A slot
 * is held until its scope closes. If a waiter is interrupted, the next one takes its place.
 */
import { Effect, RcMap, type Scope, Semaphore } from "effect"

/**
 * A semaphore with that many permits for each key. It is created for the first holder or waiter and removed after the
 * last. Returns a function that takes one permit of a key until the scope closes, in order of arrival.
 */
export const makeKeyedSemaphore = (
  permits: number
): Effect.Effect<(key: string) => Effect.Effect<void, never, Scope.Scope>, never, Scope.Scope> =>
  Effect.map(
    RcMap.make({ lookup: (_key: string) => Semaphore.make(permits) }),
    (semaphores) => (key) =>
      Effect.flatMap(RcMap.get(semaphores, key), (semaphore) => Semaphore.takeScoped(semaphore, 1))
  )

/** How much work may run concurrently, and how much of it for one tenant. */
export interface Bounds {
  readonly total: number
  readonly perTenant: number
}

/** Returns a function that takes a slot for a tenant until the scope closes. */
export const makeBulkhead = ({ perTenant, total }: Bounds) =>
  Effect.map(makeKeyedSemaphore(perTenant), (tenants) => {
    const slots = Semaphore.makeUnsafe(total)
    // The tenant's own limit first, so that its excess requests wait without holding a slot that others could use.
    return (tenant: string): Effect.Effect<void, never, Scope.Scope> =>
      Effect.andThen(tenants(tenant), Semaphore.takeScoped(slots, 1))
  })
