/**
 * A bulkhead: bounds how much work runs at once, in total and per tenant, so that neither one tenant nor a slow
 * outside server holds up the others. A slot is held until its scope closes. A waiter that is interrupted leaves its
 * place to the next one.
 */
import { Effect, RcMap, type Scope, Semaphore } from "effect"

/**
 * One semaphore of that many permits for each key, created with its first holder or waiter and dropped with its last.
 * Gives a function that takes one permit of a key until the scope closes, first come, first served.
 */
export const makeKeyedSemaphore = (
  permits: number
): Effect.Effect<(key: string) => Effect.Effect<void, never, Scope.Scope>, never, Scope.Scope> =>
  Effect.map(
    RcMap.make({ lookup: (_key: string) => Semaphore.make(permits) }),
    (semaphores) => (key) =>
      Effect.flatMap(RcMap.get(semaphores, key), (semaphore) => Semaphore.takeScoped(semaphore, 1))
  )

/** How much work may run at once, and how much of it for one tenant. */
export interface Bounds {
  readonly total: number
  readonly perTenant: number
}

const makeBounded = ({ perTenant, total }: Bounds) =>
  Effect.map(makeKeyedSemaphore(perTenant), (tenants) => {
    const all = Semaphore.makeUnsafe(total)
    // The tenant's own bound first: its excess requests then wait without holding a slot that others could use.
    return (tenant: string) => Effect.andThen(tenants(tenant), Semaphore.takeScoped(all, 1))
  })

/**
 * Gives a function that takes a slot for a tenant until the scope closes. Work that waits for an outside server
 * (`callsOut`) also takes one of the fewer slots of `outgoing`, so that such work never fills the bulkhead.
 */
export const makeBulkhead = ({ outgoing, ...bounds }: Bounds & { readonly outgoing: Bounds }) =>
  Effect.gen(function* () {
    const slot = yield* makeBounded(bounds)
    const outgoingSlot = yield* makeBounded(outgoing)
    return (tenant: string, callsOut: boolean): Effect.Effect<void, never, Scope.Scope> =>
      callsOut ? Effect.andThen(outgoingSlot(tenant), slot(tenant)) : slot(tenant)
  })
