/** The outcome of a POST, from the end of its exchange. */
import { AddressNotAllowed, NameNotResolved } from "./ConnectErrors.ts"
import type { ExchangeEnd } from "./Exchange.ts"
import { secondsToWait } from "./RetryAfter.ts"

/** How a POST ended (docs/api/webhooks.md). */
export interface SendOutcome {
  /** The status of the response, or null when none came. */
  readonly responseStatus: number | null
  /** Whether the status was a 2xx, which acknowledges receipt whatever happens to the body. */
  readonly acknowledged: boolean
  /**
   * Null when acknowledged, else one of `http <status>`, `timeout`, `connection failed`, `tls`,
   * `invalid response`, `address not allowed`, `name not resolved`, `interrupted` if this process stopped, or
   * `internal error` if it failed. No connection is opened to an address that is not allowed, so none of them reveals
   * what listens there.
   */
  readonly error: string | null
  /** The seconds of the receiver's `Retry-After`; 0 if it sent none. */
  readonly retryAfter: number
}

/** The outcome of a POST without a response. */
export const failedWith = (error: string): SendOutcome => ({
  responseStatus: null,
  acknowledged: false,
  error,
  retryAfter: 0
})

const tlsCodes =
  /^(?:ERR_TLS|ERR_SSL|CERT_|EPROTO|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|HOSTNAME_MISMATCH|INVALID_CA)/u

const errorOf = (failure: unknown): string => {
  if (failure instanceof AddressNotAllowed) return "address not allowed"
  if (failure instanceof NameNotResolved) return "name not resolved"
  const code = failure instanceof Error && "code" in failure ? String(failure.code) : ""
  if (tlsCodes.test(code)) return "tls"
  const isInvalid =
    code === "UND_ERR_HEADERS_OVERFLOW" || (failure instanceof Error && failure.name === "HTTPParserError")
  return isInvalid ? "invalid response" : "connection failed"
}

/** The outcome of an exchange that ended at `now` (Unix milliseconds). */
export const outcomeOf = (
  { failure, retryAfter, status, timedOut }: ExchangeEnd,
  now: number
): SendOutcome => {
  if (status === null) return failedWith(timedOut ? "timeout" : errorOf(failure))
  const acknowledged = status >= 200 && status < 300
  return {
    responseStatus: status,
    acknowledged,
    error: acknowledged ? null : `http ${status}`,
    retryAfter: acknowledged ? 0 : secondsToWait(retryAfter, now)
  }
}
