/** The use cases of webhook endpoints (docs/api/webhooks.md). */
import { Context, Duration, Effect, Equal, Layer, Option } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import type { ActingBusiness } from "../business/Business.ts"
import { forReader, pageForReader } from "../business/CurrentRole.ts"
import { Cryptography } from "../kernel/security/Cryptography.ts"
import { Conflict, InvalidInput, orNotFound } from "../kernel/Errors.ts"
import { afterChange } from "../kernel/Faults.ts"
import type { EndpointId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { SecretBox } from "../kernel/security/SecretBox.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { isEndpointAddress } from "../kernel/fields/WebAddress.ts"
import { AddressPolicy } from "../kernel/security/AddressPolicy.ts"
import { countDeliveryEnds } from "./DeliveryEnds.ts"
import { DeliveryRepository } from "./DeliveryRepository.ts"
import {
  type EndpointChanges,
  type EndpointInput,
  endpointRecord,
  type EndpointRecord,
  maxRetiredSecrets
} from "./Endpoint.ts"
import { EndpointRepository } from "./EndpointRepository.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** The advice for an address that may not be called. */
const addressAdvice =
  "The address of a webhook begins with https://, its host is public, its port is not one of email or SSH, and it has no " +
  "user name, no password and no fragment. For development, the setting WEBHOOKS_ALLOW_INSECURE permits http:// and private hosts"

/** How often a disabled endpoint is checked for attempts that may still start. */
const checkInterval = Duration.millis(100)

/**
 * Disabling and deleting make the endpoint's pending deliveries `failed` in the same transaction, and return once no
 * POST to it can start any more. A dispatcher does not check the endpoint before each POST, which would cost a
 * statement for every event. Instead these wait for attempts under way, on any machine, until their result is
 * recorded, or until their POST has started or never will (`RetryPolicy.lastStartSeconds`). An endpoint that is
 * enabled again gets only later events.
 *
 * `NotFound` where the endpoint is absent or another business's; `Conflict` where a precondition does not hold.
 */
export class Webhooks extends Context.Service<Webhooks>()("@livery/domain/Webhooks", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const endpoints = yield* EndpointRepository
    const deliveries = yield* DeliveryRepository
    const addresses = yield* AddressPolicy
    const secrets = yield* SecretBox
    const cryptography = yield* Cryptography

    const newSecret = Effect.gen(function* () {
      const secret = `whsec_${Base64Url.encode(yield* cryptography.randomBytes(32))}`
      return { secret, sealedSecret: yield* secrets.seal(secret) }
    })

    const checkUrl = (url: string): Effect.Effect<string, InvalidInput> =>
      isEndpointAddress(url) && addresses.allows(url.trim())
        ? Effect.succeed(url.trim())
        : Effect.fail(
            new InvalidInput({ issues: [{ field: "url", issue: "invalid" }], advice: addressAdvice })
          )

    const requireEndpoint = orNotFound("webhook endpoint")

    /** Fails pending deliveries, and counts them after the commit. Returns how many may still start an attempt. */
    const cancel = Effect.fnUntraced(function* ({ business_id }: ActingBusiness, endpointId: EndpointId) {
      const { failed, startable } = yield* deliveries.cancel(business_id, endpointId)
      if (failed > 0) yield* transaction.afterCommit(countDeliveryEnds("failed", failed))
      return startable
    })

    /**
     * Call it after the commit. It also fails deliveries that were inserted concurrently, and returns when no attempt
     * can start any more.
     */
    const waitUntilNoneCanStart = Effect.fnUntraced(function* (
      acting: ActingBusiness,
      endpointId: EndpointId
    ) {
      while ((yield* cancel(acting, endpointId)) > 0) yield* Effect.sleep(checkInterval)
    }, afterChange)

    return {
      /**
       * Creates an enabled endpoint. Its secret is shown only here. `InvalidInput` for an address that may not be
       * called, `Conflict` when the business has 50 already.
       */
      subscribe: traced("Webhooks.subscribe")(function* (acting: ActingBusiness, input: EndpointInput) {
        const url = yield* checkUrl(input.url)
        const { sealedSecret, secret } = yield* newSecret
        const events = [...new Set(input.events)]
        const endpoint = yield* endpoints.insert(acting.business_id, { url, events, sealedSecret })
        return { ...endpointRecord(endpoint), secret }
      }),

      /** The business's endpoints, the oldest first. */
      list: traced("Webhooks.list")(function* (acting: ActingBusiness, page: PageRequest) {
        return yield* pageForReader(
          "webhooks",
          mapPage(yield* endpoints.list(acting.business_id, page), endpointRecord)
        )
      }),

      get: traced("Webhooks.get")(function* (acting: ActingBusiness, endpointId: EndpointId) {
        const endpoint = yield* requireEndpoint(yield* endpoints.find(acting.business_id, endpointId))
        return yield* forReader("webhooks", endpointRecord(endpoint))
      }),

      /** Changes the given fields and no other. */
      update: traced("Webhooks.update")(function* (
        acting: ActingBusiness,
        endpointId: EndpointId,
        changes: EndpointChanges,
        precondition: Precondition<EndpointRecord> = unconditional
      ) {
        const { business_id } = acting
        const url = changes.url === undefined ? undefined : yield* checkUrl(changes.url)
        const record = yield* atomically(transaction, function* () {
          const current = yield* requireEndpoint(yield* endpoints.lock(business_id, endpointId))
          yield* precondition(endpointRecord(current))
          const settings = {
            url: url ?? current.url,
            events: changes.events === undefined ? current.events : [...new Set(changes.events)],
            status: changes.status ?? current.status
          }
          const endpoint = Equal.equals({ ...current, ...settings }, current)
            ? current
            : yield* endpoints.update(business_id, endpointId, settings)
          if (changes.status === "disabled") yield* cancel(acting, endpointId)
          return endpointRecord(endpoint)
        })
        if (changes.status === "disabled") yield* waitUntilNoneCanStart(acting, endpointId)
        return record
      }),

      /**
       * Creates a new secret, which is shown only here. The old one signs beside it for another day. `Conflict` after
       * {@link maxRetiredSecrets} times within a day.
       */
      replaceSecret: traced("Webhooks.replaceSecret")(function* (
        acting: ActingBusiness,
        endpointId: EndpointId
      ) {
        const { sealedSecret, secret } = yield* newSecret
        const endpoint = yield* atomically(transaction, function* () {
          yield* requireEndpoint(yield* endpoints.lock(acting.business_id, endpointId))
          return yield* endpoints.replaceSecret(acting.business_id, endpointId, sealedSecret)
        })
        if (Option.isNone(endpoint))
          return yield* new Conflict({
            reason: `At most ${maxRetiredSecrets} former secrets may be valid; wait until one of them expires`
          })
        return { ...endpointRecord(endpoint.value), secret }
      }),

      /** Deletes the endpoint and returns its last state. Its deliveries are kept, but no longer shown. */
      remove: traced("Webhooks.remove")(function* (
        acting: ActingBusiness,
        endpointId: EndpointId,
        precondition: Precondition<EndpointRecord> = unconditional
      ) {
        const { business_id } = acting
        const last = yield* atomically(transaction, function* () {
          const current = endpointRecord(
            yield* requireEndpoint(yield* endpoints.lock(business_id, endpointId))
          )
          yield* precondition(current)
          yield* endpoints.remove(business_id, endpointId)
          yield* cancel(acting, endpointId)
          return current
        })
        yield* waitUntilNoneCanStart(acting, endpointId)
        return last
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Webhooks, Webhooks.make)
}
