/** Server-sent events over `fetch`, so that the credential is in a header (WHATWG HTML, 9.2). */
import type { CallOptions, StreamEvent } from "./Calls.ts"
import { LiveryError } from "./LiveryError.ts"
import { type ApiRequest, backoff, longestWait, pause, type Sender, waitOf } from "./Requests.ts"

/** A stream without a byte for this long is lost: the server sends a comment every 15 seconds. */
const silence = 45_000

/** Whether an event ends the stream of a trip. The stream of the board has no such end. */
const isOver = (event: string, data: unknown) => {
  const { status } = (data ?? {}) as { readonly status?: unknown }
  return (event === "status" || event === "position") && (status === "completed" || status === "cancelled")
}

/**
 * The events of a stream; those of a trip until it ends. A lost connection is opened again with the id of the last event, also while the
 * server restarts. It throws when the server refuses the stream, for example because the link has ended, and when the program's own
 * functions throw.
 */
export const eventStream = async function* <E extends string, A>(
  sender: Sender,
  request: ApiRequest,
  options: CallOptions = {}
): AsyncGenerator<StreamEvent<E, A>> {
  let lastId = ""
  let interval = 3000
  let failures = 0
  for (;;) {
    const stop = new AbortController()
    const { signal } = options
    signal?.throwIfAborted()
    const abort = () => stop.abort(signal?.reason)
    signal?.addEventListener("abort", abort)
    let timer: ReturnType<typeof setTimeout> | undefined
    const listen = () => {
      clearTimeout(timer)
      timer = setTimeout(() => stop.abort(), silence)
    }
    let over = false
    let asked = 0
    try {
      listen()
      const headers = { ...options.headers, ...(lastId && { "last-event-id": lastId }) }
      const body = await sender.send(request, { ...options, headers, signal: stop.signal }, (it) => it.body)
      const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ""
      let event = ""
      let data: Array<string> = []
      for (;;) {
        const chunk = await reader?.read().catch(() => undefined)
        if (chunk?.value === undefined) break
        listen()
        failures = 0
        const lines = (rest + chunk.value).split(/\r\n|[\r\n]/)
        rest = lines.pop() ?? ""
        for (const line of lines) {
          const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
          if (name === "event") event = value
          else if (name === "data") data.push(value)
          else if (name === "id") lastId = value
          else if (name === "retry" && /^\d+$/.test(value)) interval = Number(value)
          else if (line === "") {
            if (data.length > 0) {
              const parsed = JSON.parse(data.join("\n")) as A
              over = isOver(event, parsed)
              yield { event: (event || "message") as E, data: parsed, id: lastId }
            }
            event = ""
            data = []
          }
        }
      }
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof LiveryError) {
        const { headers, status } = error
        if (status < 500 && status !== 429 && error.type !== "unreachable") throw error
        asked = Math.min(waitOf(headers), longestWait)
        // A silent server is tried again; a fault of the program, such as a credential that cannot be read, is not.
      } else if (!stop.signal.aborted) throw error
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener("abort", abort)
      stop.abort()
    }
    if (over) return
    await pause(Math.max(asked, interval + backoff(failures++)), signal)
  }
}
