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
} from "@livery/domain/records"
import { type ErrorForm, errorFormOf, wireError } from "./WireError.ts"

/** The request could not be parsed. An error of this adapter: such a request never reaches the domain. */
export class MalformedRequest extends Schema.TaggedError<MalformedRequest>()("MalformedRequest", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** A dependency is unavailable. Only probes receive this error; callers of the API receive a fault. */
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

/** The wire form of each error, by name: its status, type and details. Endpoints declare their errors with these. */
export const wireErrors = {
  malformed: wireError(MalformedRequest, { status: 400, type: "invalid_request", fields: { reason: "" } }),
  invalid: wireError(InvalidInput, {
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
  illegalTransition: wireError(IllegalTransition, {
    status: 422,
    type: "invalid_request",
    details: {
      schema: Schema.Array(FieldDetail),
      of: () => [{ field: "status", issue: "illegal_transition" as const }],
      fields: () => ({ machine: "record", from: "", to: "", legal: [], final: false })
    }
  }),
  filesUnavailable: wireError(FilesUnavailable, {
    status: 500,
    type: "server_error",
    fields: { reason: "", retryAfterSeconds: 5 }
  }),
  notReady: wireError(NotReady, { status: 503, type: "server_error", fields: { missing: [] } }),
  paymentNoticeRefused: wireError(PaymentNoticeRefused, {
    status: 400,
    type: "invalid_request",
    fields: { reason: "" }
  }),
  nothingOutstanding: wireError(NothingOutstanding, {
    status: 422,
    type: "payment_link_failed",
    fields: { reason: "" }
  }),
  paymentRefused: wireError(PaymentRefused, {
    status: 502,
    type: "payment_link_failed",
    fields: { code: "", reason: "" }
  }),
  pdfUnavailable: wireError(PdfUnavailable, { status: 503, type: "pdf_unavailable", fields: { reason: "" } }),
  paymentProviderUnavailable: wireError(PaymentProviderUnavailable, {
    status: 503,
    type: "payment_provider_unavailable",
    fields: { reason: "" }
  }),
  unauthorized: wireError(Unauthorized, { status: 401, type: "unauthorized" }),
  invalidCredentials: wireError(InvalidCredentials, { status: 401, type: "invalid_credentials" }),
  forbidden: wireError(Forbidden, { status: 403, type: "forbidden", fields: { reason: "" } }),
  emailUnverified: wireError(EmailUnverified, { status: 403, type: "email_unverified" }),
  accountSuspended: wireError(AccountSuspended, { status: 403, type: "account_suspended" }),
  featureUnavailable: wireError(FeatureUnavailable, {
    status: 403,
    type: "feature_unavailable",
    fields: { feature: "" }
  }),
  notFound: wireError(NotFound, { status: 404, type: "not_found", fields: { resource: "record" } }),
  conflict: wireError(Conflict, {
    status: 409,
    type: "conflict",
    details: {
      schema: Schema.Array(AtStake),
      of: ({ records }) => records,
      fields: (records) => ({ reason: "", ...(records === undefined ? {} : { records }) })
    }
  }),
  emailExists: wireError(EmailExists, { status: 409, type: "email_exists" }),
  confirmationRequired: wireError(ConfirmationRequired, {
    status: 409,
    type: "confirmation_required",
    details: {
      schema: Schema.Array(AtStake),
      of: ({ atStake }) => (atStake.length === 0 ? undefined : atStake),
      fields: (atStake) => ({ reason: "", atStake: atStake ?? [] })
    }
  }),
  usageLimitReached: wireError(UsageLimitReached, {
    status: 403,
    type: "usage_limit_reached",
    fields: { resource: "", limit: 0, current: 0 }
  }),
  planLimitExceeded: wireError(PlanLimitExceeded, {
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
  businessRequired: wireError(BusinessRequired, {
    status: 422,
    type: "business_required",
    details: {
      schema: Schema.Array(BusinessChoice),
      of: ({ choices }) => choices,
      fields: (choices) => ({ choices: choices ?? [] })
    }
  }),
  tooManyRequests: wireError(TooManyRequests, {
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

/** The status and the type of the response to a fault, on any route. */
export const faultStatus = { status: 500, type: "server_error" } as const

/** The most seconds in which a whole request must arrive. */
export const requestSeconds = 30

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
    case 408:
      return {
        status: 400,
        type: "invalid_request",
        message: `The request did not arrive within ${requestSeconds} seconds`
      }
    case 413:
      return { status, type: "invalid_request", message: "The request body is too large" }
    case 415:
      return {
        status,
        type: "invalid_request",
        message:
          "The route does not read this content type or encoding; send application/json, or multipart/form-data for an upload, without compression"
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
