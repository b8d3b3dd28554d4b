/**
 * Bounds the memory of large request bodies. The large bodies of the requests in progress have at most {@link BodyMemory}
 * bytes together, and those of one client address a quarter of that. A client may take half a minute to send a body. Without
 * the limit for an address, a few slow bodies of one client would make the requests of all others wait.
 *
 * A further request waits before its body is read, and is refused after ten seconds. Its body stays with the client and in
 * the buffers of the connection. Small bodies, the most frequent ones, never wait. Routes that take forms do not count,
 * because the files are written to disk as they arrive.
 */
import { ByteSize, Context, Effect, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TooManyRequests } from "@livery/domain"
import { addressOf, TrustedProxies } from "../request/ClientAddress.ts"
import { headerOf } from "../request/IncomingRequest.ts"

/** The largest body of a request. Uploads have a limit of their own. */
export const maximumBody = ByteSize.mebibytes(1)

/** The most bytes of the large bodies of all requests in progress. */
export const BodyMemory = Context.Reference<number>("@livery/http-adapter/BodyMemory", {
  defaultValue: () => 32 * 1024 * 1024
})

/** The part of these bytes that the bodies of one client address may have. */
const addressShare = 1 / 4

/** How long a request waits for memory. */
const waitLimit = "10 seconds"

/** A body of up to this many bytes is small. */
export const smallBody = 16 * 1024

/** The most bytes that the body of a request can have. A chunked body declares no length. */
const maxBytesOf = (request: HttpServerRequest.HttpServerRequest): number => {
  const maximum = Number(maximumBody)
  if (headerOf(request, "transfer-encoding") !== undefined) return maximum
  return Math.min(maximum, Number(headerOf(request, "content-length") ?? 0))
}

/** The memory of one client address, while it has requests that take or await some. */
interface AddressMemory {
  readonly permits: Semaphore.Semaphore
  requests: number
}

/** Makes the function that runs a request's effect with bytes of its address's share. */
const makeShares = (bytes: number) => {
  const shares = new Map<string, AddressMemory>()
  return (address: string, length: number) =>
    <A, E, R>(handled: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const share = shares.get(address) ?? { permits: Semaphore.makeUnsafe(bytes), requests: 0 }
        shares.set(address, share)
        share.requests += 1
        return Effect.ensuring(
          share.permits.withPermits(Math.min(length, bytes))(handled),
          Effect.sync(() => {
            share.requests -= 1
            if (share.requests === 0) shares.delete(address)
          })
        )
      })
}

/** Makes the function that handles a request once there is memory for its body. */
export const makeBodyMemory = Effect.gen(function* () {
  const bytes = yield* BodyMemory
  const trusted = yield* TrustedProxies
  const memory = yield* Semaphore.make(bytes)
  const ofAddress = makeShares(Math.floor(bytes * addressShare))

  const withMemory = <A, E, R>(address: string, length: number, handled: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let isAdmitted = false
      const admitted = Effect.suspend(() => {
        isAdmitted = true
        return handled
      })
      const refused = Effect.suspend(() =>
        isAdmitted ? Effect.never : Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
      )
      const inTurn = memory.withPermits(Math.min(length, bytes))(admitted)
      // A timeout would also end a request that was admitted: only the wait is limited.
      // @effect-diagnostics-next-line raceFirstWithSleepToTimeout:off
      return Effect.raceFirst(
        // First the share of the address: a request that waits for it takes no memory from others.
        ofAddress(address, length)(inTurn),
        Effect.andThen(Effect.sleep(waitLimit), refused)
      )
    })

  return <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    handled: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | TooManyRequests, R> => {
    const length = maxBytesOf(request)
    return length > smallBody ? withMemory(addressOf(request, trusted), length, handled) : handled
  }
})
