/** The gateway of a business for text messages: setting and trying it, and its callbacks (docs/api/text-messages.md). */
import { Context, DateTime, Effect, Layer, Option, Redacted } from "effect"
import { makeAuditTrail } from "../audit/AuditTrail.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { makeBusinessTokens } from "../business/BusinessTokens.ts"
import { CurrentActor } from "../kernel/CurrentActor.ts"
import { InvalidInput, invalidField, NotFound, orNotFound, Unauthorized } from "../kernel/Errors.ts"
import type { FieldIssue } from "../kernel/fields/FieldIssue.ts"
import { canonicalPhone, countryOf } from "../kernel/fields/PhoneNumber.ts"
import { firstCharacters } from "../kernel/fields/Text.ts"
import type { BusinessId } from "../kernel/Ids.ts"
import { AddressPolicy } from "../kernel/security/AddressPolicy.ts"
import { equalInConstantTime } from "../kernel/security/ConstantTime.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { traced } from "../kernel/TracedFunction.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { placeholdersOf } from "../mail/Template.ts"
import { BusinessProfileRepository } from "../settings/BusinessProfileRepository.ts"
import { NoticeRepository } from "./NoticeRepository.ts"
import { NoticeSettingsRepository, type StoredGateway } from "./NoticeSettingsRepository.ts"
import { segmentsOf } from "./rules/Segments.ts"
import { CallbackAddress } from "./texts/CallbackAddress.ts"
import { callbackContent, type ReceivedCallback } from "./texts/CallbackSignature.ts"
import { isSigned } from "./texts/SignedCallback.ts"
import { gatewayCallback, gatewayRequest } from "./texts/GatewayMessages.ts"
import {
  type StoredTextGatewayRecord,
  type TextGateway,
  textGatewayRecord,
  type TextGatewayTest,
  type TextGatewayTestResult
} from "./texts/TextGateway.ts"
import { makeTextSending } from "./texts/TextSending.ts"

const addressAdvice =
  "The address of a gateway begins with https://, its host is public, and it has no user name, no password and no fragment. " +
  "For development, the setting WEBHOOKS_ALLOW_INSECURE permits http:// and private hosts"

/** How much of a gateway's response to a test message is shown, in characters. */
const shownCharacters = 1000

/** The part of an address before its path: the server to which the secrets go. */
const serverOf = (url: string) => /^[a-z]+:\/\/[^/?]*/iu.exec(url)?.[0].toLowerCase()

/**
 * A gateway with the secrets that it leaves out, as stored. The token is kept only for the same server: otherwise a new address
 * would get a secret that its sender does not know.
 */
const withStoredSecrets = (given: TextGateway, stored: TextGateway | undefined): TextGateway => {
  const isSameServer = stored !== undefined && serverOf(stored.url) === serverOf(given.url)
  const signature = given.callbacks?.signature
  return {
    ...given,
    token: given.token ?? (isSameServer ? stored.token : null),
    callbacks: given.callbacks && {
      ...given.callbacks,
      signature: signature
        ? { ...signature, secret: signature.secret ?? stored?.callbacks?.signature?.secret ?? null }
        : null
    }
  }
}

/** The secrets that a gateway needs, but does not have. */
const missingSecrets = (gateway: TextGateway, stored: TextGateway | undefined): ReadonlyArray<FieldIssue> => {
  const texts = [gateway.url, gateway.body ?? "", ...gateway.headers.map(({ value }) => value)]
  const names = new Set(texts.flatMap(placeholdersOf))
  const needsToken = names.has("token") || names.has("basic") || stored?.token
  const signature = gateway.callbacks?.signature
  return [
    ...(needsToken && gateway.token === null ? [{ field: "token", issue: "required" as const }] : []),
    ...(signature && signature.secret === null && gateway.token === null
      ? [{ field: "callbacks.signature.secret", issue: "required" as const }]
      : [])
  ]
}

export class TextGateways extends Context.Service<TextGateways>()("@livery/domain/TextGateways", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const notices = yield* NoticeRepository
    const settings = yield* NoticeSettingsRepository
    const profiles = yield* BusinessProfileRepository
    const addresses = yield* AddressPolicy
    const cryptography = yield* Cryptography
    const callbackAddress = yield* CallbackAddress
    const writeAudit = yield* makeAuditTrail
    const sendText = yield* makeTextSending
    const { businessOfToken, newToken } = yield* makeBusinessTokens

    const profileOf = (businessId: BusinessId) =>
      Effect.flatMap(profiles.find(businessId), orNotFound("business"))

    const store = Effect.fnUntraced(function* (
      { business_id: businessId }: ActingBusiness,
      before: StoredGateway | undefined,
      after: StoredGateway | null
    ) {
      yield* settings.putGateway(businessId, after, yield* DateTime.now)
      yield* writeAudit({
        actor: yield* CurrentActor,
        action: "business.text_gateway_changed",
        subject: `business:${businessId}`,
        businessId,
        before: before === undefined ? null : textGatewayRecord(before.gateway),
        after: after && textGatewayRecord(after.gateway)
      })
    })

    /** The number in its canonical form, which may lack the calling code of the business's country. */
    const numberOf = Effect.fnUntraced(function* (businessId: BusinessId, written: string) {
      return canonicalPhone(written, countryOf(yield* profileOf(businessId)))
    })

    /** The business and the gateway that a callback's address belongs to. */
    const ofAddress = Effect.fnUntraced(function* (token: string) {
      const businessId = Option.getOrUndefined(yield* businessOfToken("texts", token))
      const stored =
        businessId === undefined ? undefined : Option.getOrUndefined(yield* settings.gateway(businessId))
      if (
        businessId === undefined ||
        stored === undefined ||
        !equalInConstantTime(stored.callbackToken, token)
      )
        return yield* new NotFound({ resource: "gateway" })
      return { businessId, gateway: stored.gateway }
    })

    return {
      /** The gateway for text messages, without its secrets; null if there is none. */
      read: traced("TextGateways.read")(function* ({ business_id }: ActingBusiness) {
        const stored = yield* settings.gateway(business_id)
        return Option.getOrNull(Option.map(stored, ({ gateway }) => textGatewayRecord(gateway)))
      }),

      /**
       * Stores the gateway. Secrets that are left out stay as they are; the address of callbacks stays the same, too. `InvalidInput`
       * for an address that may not be called, and for a missing secret.
       */
      put: traced("TextGateways.put")(function* (acting: ActingBusiness, given: TextGateway) {
        const sample = { to: "+41446681800", to_digits: "41446681800", text: "x", id: "x", callback_url: "x" }
        return yield* atomically(transaction, function* () {
          yield* settings.lock(acting.business_id)
          const before = Option.getOrUndefined(yield* settings.gateway(acting.business_id))
          const gateway = withStoredSecrets(given, before?.gateway)
          const { url } = gatewayRequest(gateway, { ...sample, sender: gateway.sender })
          const isAllowed = addresses.allows(url)
          const issues = [
            ...(isAllowed ? [] : [{ field: "url", issue: "invalid" as const }]),
            ...missingSecrets(gateway, before?.gateway)
          ]
          if (issues.length > 0)
            return yield* new InvalidInput({ issues, ...(isAllowed ? {} : { advice: addressAdvice }) })
          const callbackToken = before?.callbackToken ?? (yield* newToken("texts", acting.business_id)).token
          yield* store(acting, before, { gateway, callbackToken })
          const callback_url = gateway.callbacks === null ? null : (callbackAddress?.(callbackToken) ?? null)
          return { ...textGatewayRecord(gateway), callback_url } satisfies StoredTextGatewayRecord
        })
      }),

      /** Removes the gateway, and ends the address of its callbacks; whether there was one. */
      remove: traced("TextGateways.remove")(function* (acting: ActingBusiness) {
        return yield* atomically(transaction, function* () {
          const before = Option.getOrUndefined(yield* settings.gateway(acting.business_id))
          if (before !== undefined) yield* store(acting, before, null)
          return { deleted: before !== undefined }
        })
      }),

      /**
       * Sends a text message now, and returns what the gateway responded. `NotFound` without a gateway, `InvalidInput` for a text
       * that is no number, or for the number of a person who wants no text messages.
       */
      test: traced("TextGateways.test")(function* (
        { business_id }: ActingBusiness,
        { text, to }: TextGatewayTest
      ): Effect.fn.Return<TextGatewayTestResult, InvalidInput | NotFound> {
        const stored = yield* Effect.flatMap(settings.gateway(business_id), orNotFound("gateway"))
        const number = yield* numberOf(business_id, to)
        if (number === undefined) return yield* invalidField("to", "invalid")
        if (yield* notices.isStopped(business_id, yield* cryptography.sha256(number)))
          return yield* new InvalidInput({
            issues: [{ field: "to", issue: "invalid" }],
            advice: "The owner of the number wants no text messages, until the reply START"
          })
        const id = `test-${(yield* cryptography.sha256(`${text} ${DateTime.toEpochMillis(yield* DateTime.now)}`)).slice(0, 16)}`
        const { answer, response } = yield* sendText(stored, number, text, id)
        const { gateway } = stored
        const secrets = [gateway.token, gateway.callbacks?.signature?.secret].filter(
          (it) => typeof it === "string"
        )
        const shown = secrets.reduce((body, secret) => body.replaceAll(secret, "…"), response?.body ?? "")
        return {
          taken: answer.taken,
          reference: answer.taken ? answer.reference : null,
          reason: answer.taken ? null : answer.reason,
          response_status: response?.status ?? null,
          response_body: response && firstCharacters(shown, shownCharacters),
          segments: segmentsOf(text).segments
        }
      }),

      /**
       * Takes a callback of a gateway: a receipt, or the wish of the owner of a number to get no more text messages. `NotFound` for
       * a token that is not the present one, `Unauthorized` without the signature that the gateway's callbacks have. Callbacks that
       * say nothing are ignored.
       */
      callback: traced("TextGateways.callback")(function* (
        token: Redacted.Redacted,
        { query, ...received }: Omit<ReceivedCallback, "url"> & { readonly query: string }
      ): Effect.fn.Return<{ readonly received: boolean }, NotFound | Unauthorized> {
        const { businessId, gateway } = yield* ofAddress(Redacted.value(token))
        const signature = gateway.callbacks?.signature ?? null
        if (signature !== null) {
          const url = `${callbackAddress?.(Redacted.value(token)) ?? ""}${query}`
          const key = signature.secret ?? gateway.token ?? ""
          const isGenuine = yield* isSigned(signature, key, { ...received, url }).pipe(
            Effect.provideService(Cryptography, cryptography)
          )
          if (!isGenuine)
            return yield* new Unauthorized({
              reason:
                "The callback does not have the signature that the gateway's settings describe, or it is too old"
            })
        }
        const now = yield* DateTime.now
        const said = gatewayCallback(gateway, callbackContent(received, signature))
        if (said.type === "receipt") {
          const reason = said.status === "failed" ? said.word : null
          yield* transaction.run(notices.receipt(businessId, said.reference, said.status, reason, now))
        }
        if (said.type === "stop" || said.type === "start") {
          const number = yield* Effect.orDie(numberOf(businessId, said.from))
          if (number !== undefined) {
            const hash = yield* cryptography.sha256(number)
            yield* notices.setStopped(businessId, hash, said.type === "stop", now)
          }
        }
        return { received: true }
      })
    }
  })
}) {
  static readonly layer = Layer.effect(TextGateways, TextGateways.make)
}
