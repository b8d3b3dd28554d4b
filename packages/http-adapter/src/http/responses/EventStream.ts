/**
 * Server-sent events (WHATWG HTML, 9.2). A comment every few seconds keeps proxies from closing a silent connection,
 * and lets a client notice a lost one.
 */
import { Duration, Stream } from "effect"
import * as Sse from "effect/encoding/Sse"
import { HttpServerResponse } from "effect/http"

/** How often a comment is sent. */
const heartbeatInterval = Duration.seconds(15)

/** How long a client waits before it connects again. */
const reconnectAfter = new Sse.Retry({ duration: Duration.seconds(3), lastEventId: undefined })

/** One event: its name, its data, sent as JSON, and the id by which a client resumes after it. */
export interface StreamedEvent {
  readonly event: string
  readonly data: unknown
  readonly id?: string
}

const textOf = ({ data, event, id }: StreamedEvent) =>
  Sse.encoder.write({ _tag: "Event", id, event, data: JSON.stringify(data) })

/** The response that sends these events and closes when the stream ends. */
export const eventStream = (events: Stream.Stream<StreamedEvent>) => {
  const heartbeat = Stream.tick(heartbeatInterval).pipe(Stream.map(() => ":\n\n"))
  const text = Stream.make(Sse.encoder.write(reconnectAfter)).pipe(
    Stream.concat(Stream.merge(Stream.map(events, textOf), heartbeat, { haltStrategy: "left" }))
  )
  return HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: "text/event-stream",
    // Some proxies buffer a response unless this header forbids it.
    headers: { "X-Accel-Buffering": "no" }
  })
}
