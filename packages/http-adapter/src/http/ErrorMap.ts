/** The wire form of each domain error (docs/api/errors.md). No other module maps domain errors to HTTP statuses. */
import { Predicate, Schema } from "effect"
import {
  AccountSuspended,
  AtStake,
  BusinessRequired,
  ConfirmationRequired,
  Conflict,
  EmailExists,
  EmailUnverified,
  FeatureUnavailable,
  FilesUnavailable,
  Forbidden,
  IllegalTransition,
  InvalidCredentials,
  InvalidInput,
  Issue,
  NotFound,
  NothingOutstanding,
  PaymentNoticeRefused,
  PaymentProviderUnavailable,
  PaymentRefused,
  PdfUnavailable,
  PlanLimitExceeded,
  TooManyRequests,
  Unauthorized,
  UsageLimitReached
} from "@livery/domain"
import { type ErrorForm, errorFormOf, wire } from "./WireError.ts"

/** The request could not be parsed. An error of this adapter: such a request never reaches the domain. */
export class MalformedRequest extends Schema.TaggedError<MalformedRequest>()("MalformedRequest", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The service cannot serve because a dependency is unavailable. For probes only; callers of the API get a fault. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  missing: Schema.Array(Schema.String)
}) {
  override get message() {
    return `Not ready: ${this.missing.join("; ")}`
  }
}

/** The details of `plan_limit_exceeded` (docs/api/errors.md). */
const PlanLimitDetails = Schema.Struct({
  limit: Schema.Int,
  current: Schema.Int,
  seat_price: Schema.NullOr(Schema.Finite),
  currency: Schema.String,
  requires_confirmation: Schema.Boolean
})

/** An item of the details of `invalid_request`. */
const FieldDetail = Schema.Struct({ field: Schema.String, issue: Issue })

const BusinessChoice = Schema.Struct({ business_id: Schema.Int, business_name: Schema.String })

export const wireErrors = {
  malformed: wire(MalformedRequest, { status: 400, type: "invalid_request", fields: { reason: "" } }),
  invalid: wire(InvalidInput, {
    status: 422,
    type: "invalid_request",
    details: {
      schema: Schema.Array(FieldDetail),
      of: ({ named }) =>
        named.length === 0 ? undefined : named.map(({ field, issue }) => ({ field, issue })),
      omitted: ({ omitted }) => omitted,
      fields: (issues) => ({ issues: issues ?? [] })
    }
  }),
  illegalTransition: wire(IllegalTransition, {
    status: 422,
    type: "invalid_request",
    details: {
      schema: Schema.Array(FieldDetail),
      of: () => [{ field: "status", issue: "illegal_transition" as const }],
      fields: () => ({ machine: "record", from: "", to: "", legal: [], final: false })
    }
  }),
  filesUnavailable: wire(FilesUnavailable, {
    status: 500,
    type: "server_error",
    fields: { reason: "", retryAfterSeconds: 5 }
  }),
  notReady: wire(NotReady, { status: 503, type: "server_error", fields: { missing: [] } }),
  paymentNoticeRefused: wire(PaymentNoticeRefused, {
    status: 400,
    type: "invalid_request",
    fields: { reason: "" }
  }),
  nothingOutstanding: wire(NothingOutstanding, {
    status: 422,
    type: "payment_link_failed",
    fields: { reason: "" }
  }),
  paymentRefused: wire(PaymentRefused, {
    status: 502,
    type: "payment_link_failed",
    fields: { code: "", reason: "" }
  }),
  pdfUnavailable: wire(PdfUnavailable, { status: 503, type: "pdf_unavailable", fields: { reason: "" } }),
  paymentProviderUnavailable: wire(PaymentProviderUnavailable, {
    status: 503,
    type: "payment_provider_unavailable",
    fields: { reason: "" }
  }),
  unauthorized: wire(Unauthorized, { status: 401, type: "unauthorized" }),
  invalidCredentials: wire(InvalidCredentials, { status: 401, type: "invalid_credentials" }),
  forbidden: wire(Forbidden, { status: 403, type: "forbidden", fields: { reason: "" } }),
  emailUnverified: wire(EmailUnverified, { status: 403, type: "email_unverified" }),
  accountSuspended: wire(AccountSuspended, { status: 403, type: "account_suspended" }),
  featureUnavailable: wire(FeatureUnavailable, {
    status: 403,
    type: "feature_unavailable",
    fields: { feature: "" }
  }),
  notFound: wire(NotFound, { status: 404, type: "not_found", fields: { resource: "record" } }),
  conflict: wire(Conflict, {
    status: 409,
    type: "conflict",
    details: {
      schema: Schema.Array(AtStake),
      of: ({ records }) => records,
      fields: (records) => ({ reason: "", ...(records === undefined ? {} : { records }) })
    }
  }),
  emailExists: wire(EmailExists, { status: 409, type: "email_exists" }),
  confirmationRequired: wire(ConfirmationRequired, {
    status: 409,
    type: "confirmation_required",
    details: {
      schema: Schema.Array(AtStake),
      of: ({ atStake }) => (atStake.length === 0 ? undefined : atStake),
      fields: (atStake) => ({ reason: "", atStake: atStake ?? [] })
    }
  }),
  usageLimitReached: wire(UsageLimitReached, {
    status: 403,
    type: "usage_limit_reached",
    fields: { resource: "", limit: 0, current: 0 }
  }),
  planLimitExceeded: wire(PlanLimitExceeded, {
    status: 402,
    type: "plan_limit_exceeded",
    details: {
      schema: Schema.Array(PlanLimitDetails),
      of: (error) => [
        {
          limit: error.limit,
          current: error.current,
          seat_price: error.seatPrice,
          currency: error.currency,
          requires_confirmation: error.requiresConfirmation
        }
      ],
      fields: (details) => {
        const [exceeded] = details ?? []
        return {
          resource: "",
          limit: exceeded?.limit ?? 0,
          current: exceeded?.current ?? 0,
          seatPrice: exceeded?.seat_price ?? null,
          currency: exceeded?.currency ?? "",
          requiresConfirmation: exceeded?.requires_confirmation ?? false
        }
      }
    }
  }),
  businessRequired: wire(BusinessRequired, {
    status: 422,
    type: "business_required",
    details: {
      schema: Schema.Array(BusinessChoice),
      of: ({ choices }) => choices,
      fields: (choices) => ({ choices: choices ?? [] })
    }
  }),
  tooManyRequests: wire(TooManyRequests, {
    status: 429,
    type: "rate_limited",
    fields: { retryAfterSeconds: 60 }
  })
} as const

const forms = new Map<unknown, ErrorForm>(
  Object.values(wireErrors).flatMap((schema) => {
    const form = errorFormOf(schema)
    return form === undefined ? [] : [[form.tag, form]]
  })
)

/** The wire form of an error; `undefined` for an error that callers must not see. */
export const formOfError = (error: unknown): ErrorForm | undefined => {
  const form = Predicate.hasProperty(error, "_tag") ? forms.get(error._tag) : undefined
  return form?.is(error) === true ? form : undefined
}

/** The response of any route when the service fails. The message says what the client can do about it. */
export const faultStatus = { status: 500, type: "server_error" } as const

/**
 * The error for a response that has a status and no body: faults, unknown routes, unread bodies. A status that the
 * specification does not use is mapped to the one that it does.
 */
export const bareStatus = (
  status: number
): { readonly status: number; readonly type: string; readonly message: string } => {
  switch (status) {
    case 404:
      return { status, type: "not_found", message: "No such route" }
    case 405:
      return { status, type: "invalid_request", message: "This path does not support that method" }
    case 413:
      return { status, type: "invalid_request", message: "The request body is too large" }
    case 415:
      return {
        status,
        type: "invalid_request",
        message: "The route does not read this content type; send application/json"
      }
    case 429:
      return { status, type: "rate_limited", message: "Too many requests; try again shortly" }
    case 503:
      return { status, type: "server_error", message: "The service is not ready; try again shortly" }
    default:
      return status < 500
        ? { status: 400, type: "invalid_request", message: "The request could not be read" }
        : {
            status: 500,
            type: "server_error",
            message: "The server failed; it is safe to try again"
          }
  }
}
