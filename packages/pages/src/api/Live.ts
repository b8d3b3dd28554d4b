/** A record that stays current: by a stream of events, or by reading it again where the stream does not work. */
import { apiBase, get } from "./Api.ts"
import { Failure } from "./Failure.ts"

/** How a record is kept current. `offline`: the last request failed. */
export type Connection = "live" | "polling" | "offline"

/** What is followed, and what happens with it. */
export interface Following<A> {
  readonly path: string
  /** The path of its stream, and the names of the events; without them the record is read again and again. */
  readonly stream?: { readonly path: string; readonly events: ReadonlyArray<string> }
  /** How often it is read again without a stream, in milliseconds. */
  readonly every: number
  readonly onRecord: (record: A) => void
  readonly onFailure: (failure: Failure) => void
  readonly onConnection: (connection: Connection) => void
  /** Whether the record can no longer change. */
  readonly isOver: (record: A) => boolean
}

/** How long a failed stream is left alone, in milliseconds. */
const restOfStream = 30_000

/** Follows a record until it is over. Returns the function that ends it. */
export const follow = <A>(following: Following<A>): (() => void) => {
  const { every, isOver, onConnection, onFailure, onRecord, path, stream } = following
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let streamAfter = 0
  let ended = false

  const end = () => {
    ended = true
    source?.close()
    clearTimeout(timer)
    removeEventListener("online", readNow)
    document.removeEventListener("visibilitychange", whenSeen)
  }

  const accept = (record: A) => {
    if (ended) return
    onRecord(record)
    if (isOver(record)) end()
  }

  const readLater = () => {
    clearTimeout(timer)
    timer = setTimeout(readNow, every)
  }

  const listen = () => {
    if (stream === undefined || source !== undefined || Date.now() < streamAfter) return
    source = new EventSource(`${apiBase}${stream.path}`)
    for (const name of stream.events)
      source.addEventListener(name, ({ data }: MessageEvent<string>) => accept(JSON.parse(data) as A))
    source.addEventListener("error", () => {
      source?.close()
      source = undefined
      streamAfter = Date.now() + restOfStream
      if (!ended) readNow()
    })
  }

  const readOnce = async () => {
    try {
      accept(await get<A>(path))
      if (ended) return
      listen()
      if (source !== undefined) return onConnection("live")
      onConnection("polling")
      readLater()
    } catch (error) {
      if (ended) return
      const failure = error instanceof Failure ? error : new Failure(0, "unknown", String(error))
      onFailure(failure)
      if (!failure.isPassing) return end()
      onConnection("offline")
      readLater()
    }
  }

  function readNow() {
    clearTimeout(timer)
    if (!ended) void readOnce()
  }

  function whenSeen() {
    if (document.visibilityState === "visible" && source === undefined) readNow()
  }

  addEventListener("online", readNow)
  document.addEventListener("visibilitychange", whenSeen)
  readNow()
  return end
}
