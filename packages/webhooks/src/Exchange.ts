/**
 * One request and what comes back, told by undici itself: no promise, no stream and no signal is made for an answer
 * that is counted and thrown away.
 */
import type { Dispatcher } from "undici"
import type { Line } from "./Connections.ts"

/** What came of an exchange. */
export interface Ending {
  /** The status of the answer, or null when none came. */
  readonly status: number | null
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | ReadonlyArray<string> | undefined
  /** What went wrong, if anything did, before the answer or within it; undefined also when time ran out. */
  readonly failure: unknown
  /** Whether the exchange was cut off because its time was over. */
  readonly late: boolean
}

class CutOff extends Error {}

/** For how many milliseconds after its beginning an exchange may take another connection: a POST must not start late. */
const againWithin = 250

/** What is exchanged, and with whom. */
interface Errand {
  readonly request: Omit<Dispatcher.DispatchOptions, "origin" | "reset">
  /** Gives a connection to the receiver. */
  readonly take: () => Line
  readonly ended: (ending: Ending) => void
}

/**
 * Follows one exchange and tells once how it ended: with the body, once `bodyLimit` bytes of it have come, with a
 * failure, or when `timeout` milliseconds are over, whichever is first. What is not over by then is cut off, and its
 * connection with it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #bodyLimit: number
  readonly #errand: Errand
  readonly #timer: NodeJS.Timeout
  readonly #since = performance.now()
  #line: Line | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #retryAfter: string | ReadonlyArray<string> | undefined
  #read = 0
  #isKept = true
  #over = false

  constructor(limits: { readonly timeout: number; readonly bodyLimit: number }, errand: Errand) {
    this.#bodyLimit = limits.bodyLimit
    this.#errand = errand
    this.#timer = setTimeout(() => {
      this.#end(undefined, true)
      this.#cutOff()
    }, limits.timeout)
  }

  begin(): void {
    this.#line = this.#errand.take()
    this.#line.dispatch(this.#errand.request, this)
  }

  /** Ends it without telling. */
  abandon(): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#cutOff()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Given up while it waited for its connection: it is never written.
    if (this.#over) this.#cutOff()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | Array<string> | undefined>>
  ): void {
    // What comes ahead of the answer is none.
    if (status < 200) return
    this.#status = status
    this.#retryAfter = headers["retry-after"]
    this.#isKept = headers["connection"] !== "close"
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#read += chunk.byteLength
    if (this.#read < this.#bodyLimit) return
    this.#end(undefined)
    this.#cutOff()
  }

  onResponseEnd(): void {
    // Before it is told, so that who sends again at once does so over this connection.
    this.#free(this.#isKept)
    this.#end(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, failure: unknown): void {
    const isUnsent =
      this.#controller === undefined &&
      this.#line?.wasOpen === true &&
      performance.now() - this.#since < againWithin
    this.#free(false)
    // Its connection broke before anything was written: that is no answer of the receiver. There are only so many
    // connections that are open already; how a new one ends is told.
    if (isUnsent && !this.#over) this.begin()
    else this.#end(failure)
  }

  /** Gives the connection back, once: undici tells of a failure also when telling of the end has failed. */
  #free(intact: boolean): void {
    const line = this.#line
    this.#line = undefined
    line?.free(intact)
  }

  #cutOff(): void {
    this.#controller?.abort(new CutOff())
  }

  #end(failure: unknown, late = false): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#errand.ended({ status: this.#status, retryAfter: this.#retryAfter, failure, late })
  }
}
