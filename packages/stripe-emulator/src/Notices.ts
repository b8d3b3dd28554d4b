/**
 * Sends events to a webhook address, signed as Stripe signs them (its page "Resolve webhook signature verification
 * errors"): `t` is the time of sending in Unix seconds, `v1` the hex HMAC-SHA256 of `t`, a dot and the body.
 */
import { createHmac } from "node:crypto"
import { Effect, Schedule } from "effect"
import type { Stripe } from "stripe"

/** How a notice is sent. Without options it is sent as Stripe does. */
export interface NoticeOptions {
  /** The time in the signature, in Unix seconds; now by default. */
  readonly signedAt?: number
  /** Signs with another secret. */
  readonly wrongSecret?: boolean
  /** Sends no signature. */
  readonly unsigned?: boolean
  /** Changes the body after it was signed. */
  readonly alter?: (body: string) => string
}

/** The receiver's answer; null if there was none. */
export interface NoticeResult {
  readonly status: number | null
}

/** The value of `Stripe-Signature`. */
const signatureHeader = (body: string, secret: string, signedAt: number): string =>
  `t=${signedAt},v1=${createHmac("sha256", secret).update(`${signedAt}.${body}`).digest("hex")}`

/** The body and the headers of a notice. */
export const noticeOf = (
  event: Stripe.Event,
  secret: string,
  now: number,
  options: NoticeOptions = {}
): { readonly body: string; readonly headers: Record<string, string> } => {
  const body = JSON.stringify(event, undefined, 2)
  const signature = signatureHeader(
    body,
    options.wrongSecret === true ? `${secret}x` : secret,
    options.signedAt ?? now
  )
  return {
    body: options.alter === undefined ? body : options.alter(body),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      ...(options.unsigned === true ? {} : { "stripe-signature": signature })
    }
  }
}

/** Sends a notice once. */
export const postNotice = (
  address: string,
  notice: { readonly body: string; readonly headers: Record<string, string> }
): Effect.Effect<NoticeResult> =>
  Effect.tryPromise(async (signal) => {
    const response = await fetch(address, { method: "POST", ...notice, signal, redirect: "manual" })
    await response.arrayBuffer()
    return { status: response.status }
  }).pipe(
    Effect.timeout("20 seconds"),
    Effect.orElseSucceed((): NoticeResult => ({ status: null }))
  )

const isAccepted = ({ status }: NoticeResult) => status !== null && status >= 200 && status < 300

/**
 * Sends a notice until the receiver answers 2xx, at most four times. In a sandbox Stripe retries three times over hours;
 * here the pauses are 1, 6 and 36 seconds. `send` signs each attempt with its own time.
 */
export const deliver = (send: Effect.Effect<NoticeResult>): Effect.Effect<void> =>
  send.pipe(
    Effect.filterOrFail(isAccepted),
    Effect.retry({ schedule: Schedule.exponential("1 second", 6), times: 3 }),
    Effect.ignore
  )
