import { vi } from "vitest"

/** One server-sent event, its data as JSON. */
export interface StreamedEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A stream of server-sent events that is being read. */
export interface Following {
  readonly status: number
  readonly contentType: string | null
  readonly events: ReadonlyArray<StreamedEvent>
  /** The first event that satisfies, once it is there. */
  readonly event: (satisfies: (event: StreamedEvent) => boolean, patience?: number) => Promise<StreamedEvent>
  /** When the server has ended the stream. */
  readonly ended: Promise<void>
  /** Leaves. */
  readonly leave: () => void
}

const parsed = (block: string): ReadonlyArray<StreamedEvent> => {
  const field = (name: string) => new RegExp(`^${name}: (?<value>.*)$`, "mu").exec(block)?.groups?.["value"]
  const [event, data] = [field("event"), field("data")]
  return event === undefined || data === undefined
    ? []
    : [{ event, data: JSON.parse(data) as StreamedEvent["data"] }]
}

/** Follows a stream until it ends, or whoever reads it leaves. */
export const follow = async (
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<Following> => {
  const leaving = new AbortController()
  const response = await fetch(url, { headers, signal: leaving.signal })
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
  // Who leaves before the end has nothing to wait for.
  ended.catch(() => undefined)
  return {
    status: response.status,
    contentType: response.headers.get("content-type"),
    events,
    event: (satisfies, patience = 10_000) =>
      vi.waitUntil(() => events.find(satisfies), { timeout: patience, interval: 5 }),
    ended,
    leave: () => leaving.abort()
  }
}
