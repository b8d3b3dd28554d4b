import { vi } from "vitest"

/** One server-sent event, its data as JSON. */
interface StreamedEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** An open stream of server-sent events. */
export interface EventStream {
  readonly status: number
  readonly contentType: string | null
  readonly events: ReadonlyArray<StreamedEvent>
  /** The first event that satisfies a condition. It waits for it, at most `timeout` milliseconds. */
  readonly event: (satisfies: (event: StreamedEvent) => boolean, timeout?: number) => Promise<StreamedEvent>
  /** Resolves when the server has ended the stream. */
  readonly ended: Promise<void>
  /** Closes the stream from this side. */
  readonly close: () => void
}

const parsed = (block: string): ReadonlyArray<StreamedEvent> => {
  const field = (name: string) => new RegExp(`^${name}: (?<value>.*)$`, "mu").exec(block)?.groups?.["value"]
  const [event, data] = [field("event"), field("data")]
  return event === undefined || data === undefined
    ? []
    : [{ event, data: JSON.parse(data) as StreamedEvent["data"] }]
}

/** Opens a stream and reads it until either side closes it. */
export const openEventStream = async (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<EventStream> => {
  const closing = new AbortController()
  const response = await fetch(url, { headers, signal: closing.signal })
  const events: Array<StreamedEvent> = []
  const read = async () => {
    let rest = ""
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${text}`.split("\n\n")
      rest = blocks.pop() ?? ""
      events.push(...blocks.flatMap(parsed))
    }
  }
  const ended = read()
  // Closing from this side rejects it.
  ended.catch(() => undefined)
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    events,
    event: (satisfies, timeout = 10_000) =>
      vi.waitUntil(() => events.find(satisfies), { timeout, interval: 5 }),
    ended,
    close: () => closing.abort()
  }
}
