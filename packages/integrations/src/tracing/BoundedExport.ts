/**
 * The HTTP client of an exporter, with a timeout and a limit of batches in flight. A collector that is unreachable or hangs
 * delays no request, and the memory of waiting spans and log lines stays limited.
 */
import { monotonicMillisOf } from "@livery/domain"
import { Clock, type Duration, Effect, Layer, Schedule } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"

/** The most batches in flight: sent without an answer, or waiting for a retry. */
const maxBatches = 4

/** How long the exporter drops its signal after a failure. */
const pauseMillis = 60_000

/** Whether the exporter drops its signal at present, because the collector did not accept it. */
interface ExportPause {
  readonly isPaused: () => boolean
}

/**
 * The pause, and the client. Any response other than 2xx makes the exporter drop its data and pause. `timeout` limits
 * one attempt; a transient failure is retried twice.
 */
export const makeBoundedExport = Effect.fnUntraced(function* (signal: string, timeout: Duration.Duration) {
  const clock = yield* Clock.Clock
  let batches = 0
  let resumeAt = Number.NEGATIVE_INFINITY

  const startPause = (reason: string) =>
    Effect.suspend(() => {
      resumeAt = monotonicMillisOf(clock) + pauseMillis
      return Effect.logWarning(`${signal} could not be exported, and are dropped for a minute`, { reason })
    })

  const bounded = (client: HttpClient.HttpClient) => {
    const sending = client.pipe(
      HttpClient.transformResponse(Effect.timeout(timeout)),
      HttpClient.retryTransient({ times: 2, schedule: Schedule.spaced("1 second") })
    )
    return HttpClient.transform(client, (_, request) => {
      const refused = (reason: string) =>
        Effect.as(
          startPause(reason),
          HttpClientResponse.fromWeb(request, new Response(null, { status: 400 }))
        )
      if (batches >= maxBatches) return refused("the collector is too slow")
      batches += 1
      return sending.execute(request).pipe(
        Effect.matchEffect({
          onSuccess: (response) =>
            response.status >= 200 && response.status < 300
              ? Effect.succeed(response)
              : refused(`the collector responded with ${response.status}`),
          onFailure: (error) =>
            refused(error._tag === "TimeoutError" ? "timeout" : "the collector is not reachable")
        }),
        Effect.ensuring(Effect.sync(() => (batches -= 1)))
      )
    })
  }

  return {
    pause: { isPaused: () => monotonicMillisOf(clock) < resumeAt } satisfies ExportPause,
    client: Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, bounded)).pipe(
      Layer.provide(FetchHttpClient.layer)
    )
  }
})
