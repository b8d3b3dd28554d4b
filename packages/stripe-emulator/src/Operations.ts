/** The operations of the emulated API: their paths, their parameters and what they do. */
import type { Account, Cause } from "./Account.ts"
import { latestChargeOf } from "./Charges.ts"
import { closeDispute, disputeOf, disputeParameters, updateDispute } from "./Disputes.ts"
import { listParameters, pageOf } from "./Lists.ts"
import type { Parameters } from "./Parameters.ts"
import { groupOf, textOf } from "./Parameters.ts"
import { cancelIntent, confirmIntent, createIntent, intentOf, intentParameters } from "./PaymentIntents.ts"
import { createRefund, refundOf, refundParameters } from "./Refunds.ts"
import { noSuchRecord } from "./StripeFailure.ts"
import { cancelSubscription, changeQuantity, subscriptionItemOf, subscriptionOf } from "./Subscriptions.ts"

/** The operations by name, for faults and for the log of requests. */
export type OperationName =
  | "payment_intents.create"
  | "payment_intents.retrieve"
  | "payment_intents.list"
  | "payment_intents.confirm"
  | "payment_intents.cancel"
  | "refunds.create"
  | "refunds.retrieve"
  | "refunds.list"
  | "disputes.retrieve"
  | "disputes.list"
  | "disputes.update"
  | "disputes.close"
  | "events.retrieve"
  | "events.list"
  | "subscriptions.retrieve"
  | "subscriptions.cancel"
  | "subscription_items.retrieve"
  | "subscription_items.update"

/** One operation. `run` returns the body of the 200 response; `id` is the identifier in the path, or empty. */
export interface Operation {
  readonly name: OperationName
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: RegExp
  readonly parameters: ReadonlyArray<string>
  /** Whether a browser may call it with the publishable key and the intent's client secret. */
  readonly isPublishable: boolean
  readonly run: (account: Account, id: string, parameters: Parameters, cause: Cause) => object
}

const operation = (
  name: OperationName,
  method: Operation["method"],
  path: string,
  parameters: ReadonlyArray<string>,
  run: Operation["run"]
): Operation => ({
  name,
  method,
  path: new RegExp(`^/v1/${path.replace("{id}", "([A-Za-z0-9_]+)")}$`, "u"),
  parameters: ["expand", ...parameters],
  isPublishable: false,
  run
})

const publishable = (forBrowsers: Operation): Operation => ({ ...forBrowsers, isPublishable: true })

/** The parameters that browsers send. */
const clientParameters = ["client_secret", "return_url", "use_stripe_sdk"]

/** The parameters of a list of what happened to payments. */
const listOfPaymentParameters = [...listParameters, "payment_intent", "charge"]

/** The records of the intent and the charge that the parameters name; all without them. */
const ofPayment = <A extends { readonly charge: unknown; readonly payment_intent: unknown }>(
  records: ReadonlyMap<string, A>,
  parameters: Parameters
): ReadonlyArray<A> => {
  const intentId = textOf(parameters, "payment_intent")
  const chargeId = textOf(parameters, "charge")
  return [...records.values()].filter(
    ({ charge, payment_intent: intent }) =>
      (intentId === undefined || intent === intentId) && (chargeId === undefined || charge === chargeId)
  )
}

export const operations: ReadonlyArray<Operation> = [
  operation(
    "payment_intents.create",
    "POST",
    "payment_intents",
    intentParameters,
    (account, _, parameters, cause) => createIntent(account, parameters, cause)
  ),
  publishable(
    operation(
      "payment_intents.retrieve",
      "GET",
      "payment_intents/{id}",
      clientParameters,
      (account, id, parameters) => {
        const intent = intentOf(account, id)
        const isExpanded = Object.values(groupOf(parameters, "expand")).includes("latest_charge")
        return isExpanded ? { ...intent, latest_charge: latestChargeOf(account, intent) ?? null } : intent
      }
    )
  ),
  operation("payment_intents.list", "GET", "payment_intents", listParameters, (account, _, parameters) =>
    pageOf(account.intents.values(), parameters, "/v1/payment_intents")
  ),
  publishable(
    operation(
      "payment_intents.confirm",
      "POST",
      "payment_intents/{id}/confirm",
      [...clientParameters, "payment_method"],
      confirmIntent
    )
  ),
  operation(
    "payment_intents.cancel",
    "POST",
    "payment_intents/{id}/cancel",
    ["cancellation_reason"],
    cancelIntent
  ),
  operation("refunds.create", "POST", "refunds", refundParameters, (account, _, parameters, cause) =>
    createRefund(account, parameters, cause)
  ),
  operation("refunds.retrieve", "GET", "refunds/{id}", [], (account, id) => refundOf(account, id)),
  operation("refunds.list", "GET", "refunds", listOfPaymentParameters, (account, _, parameters) =>
    pageOf(ofPayment(account.refunds, parameters), parameters, "/v1/refunds")
  ),
  operation("disputes.retrieve", "GET", "disputes/{id}", [], (account, id) => disputeOf(account, id)),
  operation("disputes.list", "GET", "disputes", listOfPaymentParameters, (account, _, parameters) =>
    pageOf(ofPayment(account.disputes, parameters), parameters, "/v1/disputes")
  ),
  operation("disputes.update", "POST", "disputes/{id}", disputeParameters, updateDispute),
  operation("disputes.close", "POST", "disputes/{id}/close", [], (account, id, _, cause) =>
    closeDispute(account, id, cause)
  ),
  operation("events.retrieve", "GET", "events/{id}", [], (account, id) => {
    const event = account.events.find((event) => event.id === id)
    if (event === undefined) throw noSuchRecord("event", id, "id")
    return event
  }),
  operation(
    "events.list",
    "GET",
    "events",
    [...listParameters, "type", "types"],
    (account, _, parameters) => {
      const types = Object.values(parameters["types"] ?? {}).concat(textOf(parameters, "type") ?? [])
      const matching = account.events.filter(({ type }) => types.length === 0 || types.includes(type))
      return pageOf(matching, parameters, "/v1/events")
    }
  ),
  operation("subscriptions.retrieve", "GET", "subscriptions/{id}", [], (account, id) =>
    subscriptionOf(account, id)
  ),
  operation("subscriptions.cancel", "DELETE", "subscriptions/{id}", [], (account, id, _, cause) =>
    cancelSubscription(account, id, cause)
  ),
  operation("subscription_items.retrieve", "GET", "subscription_items/{id}", [], (account, id) =>
    subscriptionItemOf(account, id)
  ),
  operation(
    "subscription_items.update",
    "POST",
    "subscription_items/{id}",
    ["quantity", "proration_behavior", "metadata"],
    changeQuantity
  )
]
