/**
 * Push messages to browsers: encrypted for the subscription (RFC 8291) and signed by the key of the installation (VAPID, RFC 8292),
 * by `@block65/webcrypto-web-push`. The key is derived from the installation's secret, so that all nodes have the same and none is
 * stored. A new secret gives a new key: browsers then subscribe anew when their page is opened.
 */
import { importedAfterStart, MailRefused, OutgoingRequests, PushMessages } from "@livery/domain"
import { Effect, Layer, Option, Schema } from "effect"
import { createECDH } from "node:crypto"
import { SecretKeys } from "../cryptography/SecretKeys.ts"

const Subscription = Schema.fromJsonString(
  Schema.Struct({
    endpoint: Schema.String,
    keys: Schema.Struct({ p256dh: Schema.String, auth: Schema.String })
  })
)
const subscriptionIn = Schema.decodeUnknownOption(Subscription)

/** How long a push service keeps a message for a browser that is away, in seconds. */
const timeToLive = 3600

/** The longest text of a message: push services take 4,096 bytes with the encryption. */
const maxTextLength = 900

/** The statuses by which a push service says that it has no such subscription any more. */
const goneStatuses = new Set([404, 410])

/** The domain's `PushMessages`. `subject` is the address by which push services reach the operator: `mailto:` or `https:`. */
export const layer = (options: {
  readonly subject: string
}): Layer.Layer<never, never, SecretKeys | OutgoingRequests> =>
  Layer.effect(
    PushMessages,
    Effect.gen(function* () {
      const { current } = yield* SecretKeys
      const requests = yield* OutgoingRequests
      const secret = current.push.export()
      const pair = createECDH("prime256v1")
      pair.setPrivateKey(secret)
      const publicKey = pair.getPublicKey("base64url")
      const vapid = { subject: options.subject, publicKey, privateKey: secret.toString("base64url") }
      const library = yield* importedAfterStart(() => import("@block65/webcrypto-web-push"))

      return {
        publicKey: Effect.succeed(publicKey),
        send: Effect.fnUntraced(function* (text, { body, title, url }) {
          const subscription = Option.getOrUndefined(subscriptionIn(text))
          if (subscription === undefined) return "gone"
          const { buildPushPayload } = yield* library
          const message = {
            data: { title, body: body.slice(0, maxTextLength), url },
            options: { ttl: timeToLive, urgency: "high" as const }
          }
          const built = yield* Effect.option(
            Effect.tryPromise(() =>
              buildPushPayload(message, { ...subscription, expirationTime: null }, vapid)
            )
          )
          // The keys or the address are none: the browser must subscribe anew.
          if (Option.isNone(built)) return "gone"
          const { body: encrypted, headers } = built.value
          const { "content-length": _, ...sent } = headers
          const response = yield* Effect.mapError(
            requests.send({
              url: subscription.endpoint,
              method: "POST",
              headers: { ...sent },
              body: encrypted
            }),
            ({ reason }) => new MailRefused({ reason })
          )
          if (goneStatuses.has(response.status)) return "gone"
          if (response.status >= 200 && response.status < 300) return "sent"
          return yield* new MailRefused({ reason: `the push service responded with ${response.status}` })
        })
      }
    })
  )
