/**
 * Answers that go on: server-sent events (WHATWG HTML, 9.2). A comment every few seconds keeps proxies from taking
 * silence for death, and tells a client that is gone from one that is waiting.
 */
import { Duration, Effect, Stream } from "effect"
import { HttpServerResponse } from "effect/http"

/** How often a comment is sent. */
export const heartbeatEvery = Duration.seconds(15)

/** How often whoever reads is asked whether it still may. */
export const askedEvery = Duration.seconds(2)

/** How long a client waits before it connects again, in milliseconds. */
const reconnectAfter = 3000

/** One event: its name, and what it carries, as JSON. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
}

const rendered = ({ data, event }: StreamedEvent) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The answer that sends these events as they come, and ends with them. */
export const eventStream = (events: Stream.Stream<StreamedEvent>) => {
  const beat = Stream.tick(heartbeatEvery).pipe(Stream.map(() => ":\n\n"))
  const text = Stream.make(`retry: ${reconnectAfter}\n\n`).pipe(
    Stream.concat(Stream.merge(Stream.map(events, rendered), beat, { haltStrategy: "left" }))
  )
  return HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: "text/event-stream",
    // Some proxies collect an answer before they pass it on, unless told.
    headers: { "X-Accel-Buffering": "no" }
  })
}

/** The stream, until whoever reads it is refused. */
export const whileAllowed = <A, E>(stream: Stream.Stream<A>, allowed: Effect.Effect<unknown, E>) =>
  Stream.interruptWhen(
    stream,
    Effect.ignoreCause(Effect.forever(Effect.andThen(Effect.sleep(askedEvery), allowed)))
  )
