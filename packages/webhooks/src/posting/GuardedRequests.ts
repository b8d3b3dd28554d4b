/** Requests to addresses that others chose, over the guarded connections of webhooks: gateways for text messages, push services. */
import { importedAfterStart, type OutgoingRequest, OutgoingRequests, RequestUnanswered } from "@livery/domain"
import { Duration, Effect, Layer } from "effect"
import { checkUrl } from "./AddressGuard.ts"
import type { SenderOptions } from "./WebhookSender.ts"

const maximumBytes = 64 * 1024

const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error && (cause.name === "AbortError" || cause.name === "TimeoutError"))
    return "it took too long"
  const message = cause instanceof Error ? cause.message : String(cause)
  return message === "" ? "it could not be reached" : `it could not be reached: ${message.slice(0, 200)}`
}

/** The domain's `OutgoingRequests`. It follows no redirect, and reads at most 64 KiB of a response. */
export const layer = (options: SenderOptions = {}): Layer.Layer<OutgoingRequests> =>
  Layer.effect(
    OutgoingRequests,
    Effect.gen(function* () {
      const connectTimeout = Duration.toMillis(
        Duration.fromInputUnsafe(options.connectTimeout ?? "5 seconds")
      )
      const timeout = Duration.toMillis(Duration.fromInputUnsafe(options.timeout ?? "15 seconds"))
      const imported = yield* importedAfterStart(() => import("./GuardedAgent.ts"))
      const opened = yield* Effect.cached(
        Effect.map(imported, ({ makeRequest }) => makeRequest({ ...options, connectTimeout, maximumBytes }))
      )
      return OutgoingRequests.of({
        send: Effect.fnUntraced(function* (request: OutgoingRequest) {
          if (checkUrl(request.url, options) === undefined)
            return yield* new RequestUnanswered({ reason: "the address is not allowed" })
          const send = yield* opened
          return yield* Effect.tryPromise({
            try: (signal) => send(request, AbortSignal.any([signal, AbortSignal.timeout(timeout)])),
            catch: (cause) => new RequestUnanswered({ reason: reasonOf(cause) })
          })
        })
      })
    })
  )
