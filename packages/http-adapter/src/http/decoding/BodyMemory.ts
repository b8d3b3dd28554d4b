/**
 * Bounds the memory of large request bodies. The large bodies of the requests in progress have at most {@link BodyMemory}
 * bytes together. A further request waits before its body is read, which stays with the client and in the buffers of the
 * connection, and is refused after ten seconds. Small bodies, the most frequent ones, never wait. Forms do not count,
 * because their files are written to disk as they arrive.
 */
import { ByteSize, Context, Effect, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TooManyRequests } from "@livery/domain"
import { headerOf } from "../request/IncomingRequest.ts"

/** The largest body of a request. Uploads have a limit of their own. */
export const maximumBody = ByteSize.mebibytes(1)

/** The most bytes of the large bodies of all requests in progress. */
export const BodyMemory = Context.Reference<number>("@livery/http-adapter/BodyMemory", {
  defaultValue: () => 32 * 1024 * 1024
})

/** How long a request waits for memory. */
const waitLimit = "10 seconds"

/** A body of up to this many bytes is small. */
export const smallBody = 16 * 1024

/** The most bytes that the body of a request can have. A chunked body declares no length. */
const maxBytesOf = (request: HttpServerRequest.HttpServerRequest): number => {
  const maximum = Number(maximumBody)
  if (headerOf(request, "content-type")?.startsWith("multipart/") === true) return 0
  if (headerOf(request, "transfer-encoding") !== undefined) return maximum
  return Math.min(maximum, Number(headerOf(request, "content-length") ?? 0))
}

/** Makes the function that handles a request once there is memory for its body. */
export const makeBodyMemory = Effect.gen(function* () {
  const bytes = yield* BodyMemory
  const memory = yield* Semaphore.make(bytes)

  const withMemory = <A, E, R>(length: number, handled: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let isAdmitted = false
      const admitted = Effect.suspend(() => {
        isAdmitted = true
        return handled
      })
      const refused = Effect.suspend(() =>
        isAdmitted ? Effect.never : Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
      )
      // A timeout would also end a request that was admitted: only the wait is limited.
      // @effect-diagnostics-next-line raceFirstWithSleepToTimeout:off
      return Effect.raceFirst(
        memory.withPermits(Math.min(length, bytes))(admitted),
        Effect.andThen(Effect.sleep(waitLimit), refused)
      )
    })

  return <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    handled: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | TooManyRequests, R> => {
    const length = maxBytesOf(request)
    return length > smallBody ? Effect.interruptible(withMemory(length, handled)) : handled
  }
})
