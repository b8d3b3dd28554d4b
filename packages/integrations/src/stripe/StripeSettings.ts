/** Reads `STRIPE_SECRET_KEY`, `STRIPE_WEBHOOK_SECRET` and `STRIPE_API_BASE`. */
import { Effect, Redacted, Schema } from "effect"
import { isLoopback } from "../outgoing/Loopback.ts"

/** A Stripe setting is wrong. The message does not repeat the value, which may be a secret. */
export class StripeSettingRefused extends Schema.TaggedError<StripeSettingRefused>()("StripeSettingRefused", {
  setting: Schema.Literals(["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"]),
  reason: Schema.String
}) {
  override get message() {
    return `${this.setting} ${this.reason}`
  }
}

/** The settings as an operator writes them. */
export interface StripeSettings {
  /** Without it, the provider is not configured. */
  readonly secretKey: Redacted.Redacted | undefined
  /** Without it, notices cannot be verified. */
  readonly webhookSecret: Redacted.Redacted | undefined
  /** The API's address, for an emulator or a proxy; Stripe's own by default. */
  readonly apiBase: string | undefined
}

/** The address that the SDK sends requests to. */
export interface StripeAddress {
  readonly protocol: "http" | "https"
  readonly host: string
  readonly port: number
}

const stripeApi: StripeAddress = { protocol: "https", host: "api.stripe.com", port: 443 }

/** The origin in a text. Only an address of this machine may be without TLS, since each request carries the secret key. */
const addressIn = (text: string): StripeAddress | undefined => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    return undefined
  if (url.pathname !== "/" || !/^https?:$/u.test(url.protocol)) return undefined
  const protocol = url.protocol === "https:" ? "https" : "http"
  if (protocol === "http" && !isLoopback(url.hostname)) return undefined
  return { protocol, host: url.hostname, port: Number(url.port || (protocol === "https" ? 443 : 80)) }
}

const refuse = (setting: StripeSettingRefused["setting"], reason: string) =>
  Effect.fail(new StripeSettingRefused({ setting, reason }))

/** Whether a text has the form of a secret key or a restricted key. */
export const isStripeKey = (text: string): boolean => /^[sr]k_[A-Za-z0-9_]+$/u.test(text)

/** Whether a text has the form of a webhook's signing secret. */
export const isStripeWebhookSecret = (text: string): boolean => /^whsec_[A-Za-z0-9+/=_-]+$/u.test(text)

/** Whether a text is the origin of an API: with https, or with http on this machine, and without a path. */
export const isStripeAddress = (text: string): boolean => addressIn(text) !== undefined

const matches = (secret: Redacted.Redacted | undefined, isValid: (text: string) => boolean) =>
  secret === undefined || isValid(Redacted.value(secret))

/** Checks the settings, and returns the address. */
export const readStripeAddress = ({
  apiBase,
  secretKey,
  webhookSecret
}: StripeSettings): Effect.Effect<StripeAddress, StripeSettingRefused> => {
  if (!matches(secretKey, isStripeKey))
    return refuse("STRIPE_SECRET_KEY", "is not a secret key (sk_…) or a restricted key (rk_…)")
  if (!matches(webhookSecret, isStripeWebhookSecret))
    return refuse("STRIPE_WEBHOOK_SECRET", "is not a signing secret (whsec_…)")
  const address = apiBase === undefined ? stripeApi : addressIn(apiBase)
  return address === undefined
    ? refuse("STRIPE_API_BASE", "is not an https address, or an http address of this machine, without a path")
    : Effect.succeed(address)
}
