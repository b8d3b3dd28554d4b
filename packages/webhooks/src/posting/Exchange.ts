/**
 * One request and its response, through undici's callbacks. It creates no promise, stream or signal, since only the
 * length of the response's body matters.
 */
import type { Clock } from "effect"
import type { Dispatcher } from "undici"
import type { Connection } from "./ConnectionPool.ts"

export interface ExchangeEnd {
  /** The status of the response, or null when none came. */
  readonly status: number | null
  /** The header `Retry-After` as it came. */
  readonly retryAfter: string | ReadonlyArray<string> | undefined
  /** The failure before or within the response, if any; undefined also if the exchange timed out. */
  readonly failure: unknown
  /** Whether the exchange exceeded its time limit. */
  readonly timedOut: boolean
  /** Whether nothing was sent because `mayStart` returned false. */
  readonly unsent: boolean
}

/** The error with which undici ends the request of an ended exchange. */
class ExchangeAborted extends Error {}

/**
 * For how many nanoseconds after its start an exchange may retry on another connection, so that no POST starts late.
 */
const retryNanos = 250_000_000n

/** The request, the connections to send it over, and the callback for the end of the exchange. */
export interface ExchangeOptions {
  readonly request: Omit<Dispatcher.DispatchOptions, "origin" | "reset">
  /** Takes a connection to the receiver. */
  readonly take: () => Connection
  /**
   * Called right before the request is written. If it returns false, the exchange ends without having sent anything.
   */
  readonly mayStart: () => boolean
  readonly ended: (end: ExchangeEnd) => void
  readonly clock: Clock.Clock
}

/** The limits of an exchange: milliseconds in total, and bytes of the response's body. */
export interface ExchangeLimits {
  readonly timeout: number
  readonly bodyLimit: number
}

/**
 * Runs one exchange. It ends when the response's body is complete or reaches `bodyLimit` bytes, on a failure, or after
 * `timeout`, whichever is first. If the exchange is not complete then, its connection is closed.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #bodyLimit: number
  readonly #options: ExchangeOptions
  readonly #timer: NodeJS.Timeout
  readonly #startedAt: bigint
  #connection: Connection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #retryAfter: string | ReadonlyArray<string> | undefined
  #bytesRead = 0
  #isReusable = true
  #hasEnded = false

  constructor(limits: ExchangeLimits, options: ExchangeOptions) {
    this.#bodyLimit = limits.bodyLimit
    this.#options = options
    this.#startedAt = options.clock.monotonicTimeNanosUnsafe()
    this.#timer = setTimeout(() => {
      this.#end({ timedOut: true })
      this.#abort()
    }, limits.timeout)
  }

  start(): void {
    this.#connection = this.#options.take()
    this.#connection.dispatch(this.#options.request, this)
  }

  /** Ends the exchange without calling `ended`. */
  cancel(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#abort()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (!this.#hasEnded && !this.#options.mayStart()) this.#end({ unsent: true })
    // Prevents the request from being written if the exchange has ended meanwhile.
    if (this.#hasEnded) this.#abort()
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | Array<string> | undefined>>
  ): void {
    // Ignore 1xx responses.
    if (status < 200) return
    this.#status = status
    this.#retryAfter = headers["retry-after"]
    this.#isReusable = headers["connection"] !== "close"
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytesRead += chunk.byteLength
    if (this.#bytesRead < this.#bodyLimit) return
    this.#end({})
    this.#abort()
  }

  onResponseEnd(): void {
    // Released first, so that a request that `ended` starts can use this connection.
    this.#release(this.#isReusable)
    this.#end({})
  }

  onResponseError(_: Dispatcher.DispatchController, failure: unknown): void {
    const isUnsent =
      this.#controller === undefined &&
      this.#connection?.wasOpen === true &&
      this.#options.clock.monotonicTimeNanosUnsafe() - this.#startedAt < retryNanos
    this.#release(false)
    // If a reused connection broke before anything was written, the exchange is retried on another one, because the
    // receiver may be well. The retries end: the pool has a limited number of connections, and a failure of a new one
    // is final.
    if (isUnsent && !this.#hasEnded) this.start()
    else this.#end({ failure })
  }

  /** Gives the connection back, once: undici calls `onResponseError` also when `onResponseEnd` has thrown. */
  #release(isReusable: boolean): void {
    const connection = this.#connection
    this.#connection = undefined
    connection?.release(isReusable)
  }

  #abort(): void {
    this.#controller?.abort(new ExchangeAborted())
  }

  #end({
    failure,
    timedOut = false,
    unsent = false
  }: Partial<Pick<ExchangeEnd, "failure" | "timedOut" | "unsent">>): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#options.ended({ status: this.#status, retryAfter: this.#retryAfter, failure, timedOut, unsent })
  }
}
