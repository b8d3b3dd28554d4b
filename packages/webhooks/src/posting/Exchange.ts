/** One request and its response, through undici's callbacks: only the length of the response's body matters. */
import type { Dispatcher } from "undici"

/** A connection that may be used for several exchanges, one at a time. */
export interface ReusedConnection {
  /** Whether a response has come over the connection. */
  hasResponded: boolean
}

/** A POST to the path at an origin. */
type PostRequest = Dispatcher.DispatchOptions & { readonly origin: string }

/** Opens and reuses connections. */
export interface Connections {
  /** Sends over an idle connection, or over a new one. */
  readonly dispatch: (request: PostRequest, exchange: Exchange) => void
  /** Sends over a new connection, which is closed after the exchange. */
  readonly dispatchOnNew: (request: PostRequest, exchange: Exchange) => void
}

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

/** The codes of a connection that the receiver has closed. */
const closedCodes = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

const isClose = (failure: unknown) =>
  failure instanceof Error && "code" in failure && closedCodes.has(String(failure.code))

/** The limits of an exchange, its request and the callback for its end. */
export interface ExchangeOptions {
  /** Milliseconds in total. */
  readonly timeout: number
  /** Bytes of the response's body. */
  readonly bodyLimit: number
  readonly request: PostRequest
  readonly connections: Connections
  /**
   * Called right before the request is written. If it returns false, the exchange ends without having sent anything.
   */
  readonly mayStart: () => boolean
  readonly ended: (end: ExchangeEnd) => void
}

/**
 * Runs one exchange. It ends when the response's body is complete or reaches `bodyLimit` bytes, on a failure, or after
 * `timeout`, whichever is first. If the exchange is not complete then, its connection is closed.
 *
 * A receiver may close an idle connection at the moment when a request is written to it. So if a reused connection
 * closes before the first byte of a response, the request is sent again, once, over a new connection.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions
  readonly #timer: NodeJS.Timeout
  #connection: ReusedConnection | undefined
  #controller: Dispatcher.DispatchController | undefined
  #status: number | null = null
  #retryAfter: string | ReadonlyArray<string> | undefined
  #bytesRead = 0
  #mayRepeat = false
  /** Why the request is sent again. */
  #closed: unknown
  #hasEnded = false

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#timer = setTimeout(() => {
      this.#end({ timedOut: true })
      this.#abort()
    }, options.timeout)
    options.connections.dispatch(options.request, this)
  }

  /** Ends the exchange without calling `ended`. */
  cancel(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
    this.#abort()
  }

  /** Tells which connection the request is sent over. */
  dispatchedTo(connection: ReusedConnection): void {
    this.#connection = connection
    this.#mayRepeat = connection.hasResponded
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // Again, because undici may have opened another connection meanwhile.
    this.#mayRepeat = this.#closed === undefined && this.#connection?.hasResponded === true
    if (!this.#hasEnded && !this.#options.mayStart())
      this.#end(this.#closed === undefined ? { unsent: true } : { failure: this.#closed })
    // Prevents the request from being written if the exchange has ended meanwhile.
    if (this.#hasEnded) this.#abort()
  }

  onResponseStarted(): void {
    this.#mayRepeat = false
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
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytesRead += chunk.byteLength
    if (this.#bytesRead < this.#options.bodyLimit) return
    this.#end({})
    this.#abort()
  }

  onResponseEnd(): void {
    if (this.#connection !== undefined) this.#connection.hasResponded = true
    this.#end({})
  }

  onResponseError(_: Dispatcher.DispatchController, failure: unknown): void {
    if (this.#mayRepeat && !this.#hasEnded && isClose(failure)) {
      this.#mayRepeat = false
      this.#closed = failure
      this.#options.connections.dispatchOnNew(this.#options.request, this)
    } else this.#end({ failure })
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
