/**
 * The errors that use cases fail with, each with a readable message. An adapter maps them to its own form: the HTTP
 * adapter to a type and a status, the CLI to a line. A fault that no caller can act on, such as a lost database, is a
 * defect instead.
 */
import { Effect, type Option, Schema } from "effect"
import { FieldIssue } from "./fields/FieldIssue.ts"

/** An error names at most this many wrong fields, and counts the others. */
const maxNamedFields = 50

const listed = (issues: ReadonlyArray<FieldIssue>) =>
  issues
    .map(({ accepted, field, issue }) => {
      const words = accepted === undefined ? issue : `${issue} (accepted: ${accepted})`
      return field === "" ? words : `${field} ${words}`
    })
    .join(", ")

/** The input was decoded, but fields of it are wrong; the error names the first {@link maxNamedFields}. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  issues: Schema.Array(FieldIssue),
  /** Advice that ends the message: how the caller can correct the input. */
  advice: Schema.optionalKey(Schema.String)
}) {
  /** The wrong fields that the error names. */
  get named(): ReadonlyArray<FieldIssue> {
    return this.issues.slice(0, maxNamedFields)
  }
  /** How many wrong fields it does not name. */
  get omitted(): number {
    return Math.max(0, this.issues.length - maxNamedFields)
  }
  override get message() {
    const rest = this.omitted === 0 ? "" : `, and ${this.omitted} more`
    const fields = this.issues.length === 0 ? "" : `: ${listed(this.named)}${rest}`
    const advice = this.advice === undefined ? "" : `. ${this.advice}`
    return `The input is not valid${fields}${advice}`
  }
}

/** The error of one wrong field. */
export const invalidField = (field: string, issue: FieldIssue["issue"]) =>
  new InvalidInput({ issues: [{ field, issue }] })

/** Fails with `InvalidInput` if there is at least one issue; the error has the advice. */
export const refuseIssues = (
  issues: ReadonlyArray<FieldIssue>,
  advice?: string
): Effect.Effect<void, InvalidInput> =>
  issues.length === 0
    ? Effect.void
    : Effect.fail(new InvalidInput({ issues, ...(advice === undefined ? {} : { advice }) }))

/** The record is absent or belongs to another business. Nothing in the error distinguishes the two. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { resource: Schema.String }) {
  override get message() {
    return `No such ${this.resource}`
  }
}

/** The value of an option, or `NotFound` for that kind of record. */
export const orNotFound =
  (resource: string) =>
  <A>(record: Option.Option<A>): Effect.Effect<A, NotFound> =>
    Effect.mapError(Effect.fromOption(record), () => new NotFound({ resource }))

/** The credential is missing, wrong, expired or revoked. `reason` is for a credential that was valid until it ended. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  reason: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.reason ?? "The credential is missing, invalid or expired"
  }
}

/** The caller is authenticated, but may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** The login failed. The error does not say whether the email or the password was wrong. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {
  override get message() {
    return "The email or the password is wrong"
  }
}

/** The password was right, but the email is not verified yet. */
export class EmailUnverified extends Schema.TaggedError<EmailUnverified>()("EmailUnverified", {}) {
  override get message() {
    return "Verify the email address before signing in"
  }
}

/** The acting business is suspended. */
export class AccountSuspended extends Schema.TaggedError<AccountSuspended>()("AccountSuspended", {
  business_id: Schema.optionalKey(Schema.Int)
}) {
  override get message() {
    return "This business is suspended: ask the operator of the platform to activate it"
  }
}

/** This installation is not configured for the feature. */
export class FeatureUnavailable extends Schema.TaggedError<FeatureUnavailable>()("FeatureUnavailable", {
  feature: Schema.String
}) {
  override get message() {
    return `${this.feature} is not available here`
  }
}

/** A user who belongs to several businesses did not choose the acting one. */
export class BusinessRequired extends Schema.TaggedError<BusinessRequired>()("BusinessRequired", {
  choices: Schema.Array(Schema.Struct({ business_id: Schema.Int, business_name: Schema.String }))
}) {
  override get message() {
    return "The account belongs to several businesses; name the acting one in X-Business-Id"
  }
}

/** Another account, or another customer of the business, has that email. */
export class EmailExists extends Schema.TaggedError<EmailExists>()("EmailExists", {}) {
  override get message() {
    return "That email is already in use"
  }
}

/** One record, for example `{ trip_id: 7 }`. */
export const AtStake = Schema.Record(Schema.String, Schema.Unknown)

/**
 * The write conflicts with the current state of a record. `records` are the ones that it conflicts with. With
 * `retryAfterSeconds`, the same request may succeed later.
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  reason: Schema.String,
  retryAfterSeconds: Schema.optionalKey(Schema.Int),
  records: Schema.optionalKey(Schema.Array(AtStake))
}) {
  override get message() {
    return this.reason
  }
}

/** A limit is exceeded; the caller may retry after `retryAfterSeconds`. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many requests; try again in ${this.retryAfterSeconds} s`
  }
}

/** The action is destructive; the same call with `force: true` confirms it. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>()("ConfirmationRequired", {
  reason: Schema.String,
  /** The records that the action would change. */
  atStake: Schema.Array(AtStake)
}) {
  override get message() {
    return `${this.reason}; repeat the request with "force": true to confirm it`
  }
}

/** The business has as many of a resource as its plan allows. */
export class UsageLimitReached extends Schema.TaggedError<UsageLimitReached>()("UsageLimitReached", {
  resource: Schema.String,
  limit: Schema.Int,
  current: Schema.Int,
  /** The message, where a plan does not set the limit. */
  reason: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    if (this.reason !== undefined) return this.reason
    return `The plan includes ${this.limit} ${this.resource}; the business has ${this.current}`
  }
}

/**
 * The business has as many of a resource as its plan includes, and can buy more: a paid seat if `requiresConfirmation`
 * is true, else a larger plan. `seatPrice` is a month's price in major units of `currency`; null if the plan sells no
 * seats.
 */
export class PlanLimitExceeded extends Schema.TaggedError<PlanLimitExceeded>()("PlanLimitExceeded", {
  resource: Schema.String,
  limit: Schema.Int,
  current: Schema.Int,
  seatPrice: Schema.NullOr(Schema.Finite),
  currency: Schema.String,
  requiresConfirmation: Schema.Boolean
}) {
  override get message() {
    const more = this.requiresConfirmation
      ? 'repeat the request with "confirm_seat": true to pay for another seat'
      : "this needs a larger plan"
    return `The plan includes ${this.limit} ${this.resource}; the business has ${this.current}; ${more}`
  }
}
