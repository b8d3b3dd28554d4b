/**
 * One request and what comes back, told by undici itself: no promise, no stream and no signal is made for an answer
 * that is counted and thrown away.
 */
import type { Dispatcher } from "undici"

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

/**
 * Follows one exchange and tells once how it ended: with the body, once `bodyLimit` bytes of it have come, with a
 * failure, or when `timeout` milliseconds are over, whichever is first. What is not over by then is cut off, and its
 * connection with it.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #bodyLimit: number
  readonly #ended: (ending: Ending) => void
  readonly #timer: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #retryAfter: string | ReadonlyArray<string> | undefined
  #read = 0
  #over = false

  constructor(
    limits: { readonly timeout: number; readonly bodyLimit: number },
    ended: (ending: Ending) => void
  ) {
    this.#bodyLimit = limits.bodyLimit
    this.#ended = ended
    this.#timer = setTimeout(() => {
      this.#end(undefined, true)
      this.#cutOff()
    }, limits.timeout)
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
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#read += chunk.byteLength
    if (this.#read < this.#bodyLimit) return
    this.#end(undefined)
    this.#cutOff()
  }

  onResponseEnd(): void {
    // Told once the connection is free again, so that who sends at once again finds it and opens no other.
    queueMicrotask(() => this.#end(undefined))
  }

  onResponseError(_: Dispatcher.DispatchController, failure: unknown): void {
    this.#end(failure)
  }

  #cutOff(): void {
    this.#controller?.abort(new CutOff())
  }

  #end(failure: unknown, late = false): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    this.#ended({ status: this.#status, retryAfter: this.#retryAfter, failure, late })
  }
}
