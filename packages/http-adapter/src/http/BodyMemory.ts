/**
 * Bounds the memory that large request bodies take. A request with a large body waits, unread, while those that are being
 * handled have {@link BodyMemory} bytes together: its body stays with the client and in the buffers of the connection. After
 * ten seconds it is refused. Small bodies, which are nearly all, never wait. Forms do not count, because their files are
 * written to disk as they arrive.
 */
import { ByteSize, Context, Effect, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TooManyRequests } from "@livery/domain"
import { headerOf } from "./IncomingRequest.ts"

/** The largest body of a request. Uploads have a limit of their own. */
export const maximumBody = ByteSize.mebibytes(1)

/** The bytes that the large bodies of the requests in progress may have together. */
export const BodyMemory = Context.Reference<number>("@livery/http-adapter/BodyMemory", {
  defaultValue: () => 32 * 1024 * 1024
})

/** How long a request waits for room. */
const waitLimit = "10 seconds"

/** A body of up to this many bytes is small. */
const smallBody = 16 * 1024

/** The most bytes that the body of a request takes. A chunked body does not say its length. */
const bytesOf = (request: HttpServerRequest.HttpServerRequest): number => {
  const longest = Number(maximumBody)
  if (headerOf(request, "content-type")?.startsWith("multipart/") === true) return 0
  if (headerOf(request, "transfer-encoding") !== undefined) return longest
  return Math.min(longest, Number(headerOf(request, "content-length") ?? 0))
}

/** Makes the function that handles a request once there is room for its body. */
export const makeBodyMemory = Effect.gen(function* () {
  const bytes = yield* BodyMemory
  const room = yield* Semaphore.make(bytes)

  const whenThereIsRoom = <A, E, R>(length: number, handled: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      let hasRoom = false
      const admitted = Effect.suspend(() => {
        hasRoom = true
        return handled
      })
      const refused = Effect.suspend(() =>
        hasRoom ? Effect.never : Effect.fail(new TooManyRequests({ retryAfterSeconds: 1 }))
      )
      return Effect.raceFirst(
        room.withPermits(Math.min(length, bytes))(admitted),
        Effect.andThen(Effect.sleep(waitLimit), refused)
      )
    })

  return <A, E, R>(
    request: HttpServerRequest.HttpServerRequest,
    handled: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | TooManyRequests, R> => {
    const length = bytesOf(request)
    return length > smallBody ? Effect.interruptible(whenThereIsRoom(length, handled)) : handled
  }
})
