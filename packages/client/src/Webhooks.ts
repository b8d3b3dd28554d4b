/** Checks and parses the events that Livery posts to a receiver. */
import type { EventData } from "./generated/Types.ts"

/** An event, as it is posted to receivers. Once `type` is checked, `data` has its type. */
export type WebhookEvent = {
  [T in keyof EventData]: {
    /** The same in every attempt to send the event. */
    readonly id: string
    readonly type: T
    /** Unix seconds of the change. */
    readonly created: number
    readonly data: EventData[T]
    readonly meta: { readonly business_id: number; readonly test?: true }
  }
}[keyof EventData]

/** The options of `verifyWebhook`. */
export interface VerifyOptions {
  /** How far the signature's time may be from now, 300 by default. */
  readonly toleranceSeconds?: number
}

/** A body that is not from Livery, or not from now. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused"
  readonly reason: "malformed" | "mismatch" | "too_old"

  constructor(reason: "malformed" | "mismatch" | "too_old") {
    super(
      {
        malformed: "The signature header is malformed",
        mismatch: "No signature matches the body and the secret",
        too_old: "The signature's time is outside the tolerance"
      }[reason]
    )
    this.reason = reason
  }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

const fromHex = (text: string) =>
  Uint8Array.from(/^[0-9a-f]{64}$/.test(text) ? (text.match(/../g) ?? []) : [], (digits) =>
    Number.parseInt(digits, 16)
  )

/**
 * Returns the event in a body whose signature is right and recent. `header` is the value of `X-Service-Signature`, `body` the
 * body as it was received, before any parsing, `secret` the endpoint's. It throws `WebhookRefused`, or a `RangeError` if the
 * secret is empty.
 */
export const verifyWebhook = async (
  header: string | null | undefined,
  body: string | Uint8Array,
  secret: string,
  { toleranceSeconds = 300 }: VerifyOptions = {}
): Promise<WebhookEvent> => {
  // Anyone can sign with an empty secret.
  if (typeof secret !== "string" || secret === "") throw new RangeError("secret is missing or empty")
  const parts = (header ?? "").split(",").map((part) => part.trim())
  const times = parts.filter((part) => part.startsWith("t=")).map((part) => part.slice(2))
  const signatures = parts.filter((part) => part.startsWith("v1=")).map((part) => part.slice(3))
  const [time = ""] = times
  if (times.length !== 1 || !/^\d{1,12}$/.test(time) || signatures.length === 0)
    throw new WebhookRefused("malformed")
  const raw = typeof body === "string" ? bytesOf(body) : body
  const prefix = bytesOf(`${time}.`)
  const signed = new Uint8Array(prefix.length + raw.length)
  signed.set(prefix)
  signed.set(raw, prefix.length)
  const key = await crypto.subtle.importKey(
    "raw",
    bytesOf(secret),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"]
  )
  // WebCrypto compares in constant time.
  const matches = await Promise.all(
    signatures.map((it) => crypto.subtle.verify("HMAC", key, fromHex(it), signed))
  )
  if (!matches.includes(true)) throw new WebhookRefused("mismatch")
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds)) throw new WebhookRefused("too_old")
  return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw)) as WebhookEvent
}
