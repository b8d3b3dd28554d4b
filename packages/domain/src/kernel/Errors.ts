/**
 * The ways in which the domain refuses, each one a tagged error with a sentence for people.
 * What they are on the wire (type and status) is the HTTP adapter's business; what they are on the command
 * line, that of the CLI. Faults that no caller can act on, such as a database that is away, die instead.
 */
import { Schema } from "effect"
import { FieldIssue } from "./fields/FieldIssue.ts"

const listed = (issues: ReadonlyArray<FieldIssue>) =>
  issues.map(({ field, issue }) => (field === "" ? issue : `${field} ${issue}`)).join(", ")

/** The input is well formed but wrong; names every wrong field. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  issues: Schema.Array(FieldIssue)
}) {
  override get message() {
    return this.issues.length === 0
      ? "The input is not valid"
      : `The input is not valid: ${listed(this.issues)}`
  }
}

/** The record is absent, or another business's: the two are told apart by nothing. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", { resource: Schema.String }) {
  override get message() {
    return `No such ${this.resource}`
  }
}

/** No credential, or one that is wrong, expired or revoked. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {}) {
  override get message() {
    return "The credential is missing, invalid or expired"
  }
}

/** The caller is known, and may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** The login failed; whether the email or the password was wrong is not told. */
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
export class AccountSuspended extends Schema.TaggedError<AccountSuspended>()("AccountSuspended", {}) {
  override get message() {
    return "This business is suspended"
  }
}

/** Something that this installation was not set up for. */
export class FeatureUnavailable extends Schema.TaggedError<FeatureUnavailable>()("FeatureUnavailable", {
  feature: Schema.String
}) {
  override get message() {
    return `${this.feature} is not available here`
  }
}

/** A user of several businesses did not say for which one it acts. */
export class BusinessRequired extends Schema.TaggedError<BusinessRequired>()("BusinessRequired", {
  choices: Schema.Array(Schema.Struct({ business_id: Schema.Int, business_name: Schema.String }))
}) {
  override get message() {
    return "Name the acting business in the X-Business-Id header"
  }
}

/** An account or a customer with that email exists. */
export class EmailExists extends Schema.TaggedError<EmailExists>()("EmailExists", {}) {
  override get message() {
    return "That email is taken already"
  }
}

/** The write clashes with an existing record. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", { reason: Schema.String }) {
  override get message() {
    return this.reason
  }
}

/** Too much at once: the caller may try again after `retryAfterSeconds`. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return `Too many requests; try again in ${this.retryAfterSeconds} s`
  }
}

/** What is at stake in an action that asks for confirmation, for example `{ field: "trip_ids", issue: … }`. */
export const AtStake = Schema.Record(Schema.String, Schema.Unknown)

/** The action would undo something; the same again with `force: true` goes through. */
export class ConfirmationRequired extends Schema.TaggedError<ConfirmationRequired>()("ConfirmationRequired", {
  reason: Schema.String,
  /** What is at stake, one item each. */
  atStake: Schema.Array(AtStake)
}) {
  override get message() {
    return `${this.reason}; send it again with "force": true to go on`
  }
}

/** The plan's allowance of a resource is used up. */
export class UsageLimitReached extends Schema.TaggedError<UsageLimitReached>()("UsageLimitReached", {
  resource: Schema.String,
  limit: Schema.Int,
  current: Schema.Int
}) {
  override get message() {
    return `The plan includes ${this.limit} ${this.resource}, and there are ${this.current}`
  }
}

/**
 * The plan's allowance is used up, and more of it can be had: by a paid seat where `requiresConfirmation` holds, else
 * by another plan. `seatPrice` is in major units of `currency`, null where the plan sells none.
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
      ? 'send it again with "confirm_seat": true to take a paid seat'
      : "the plan has to be upgraded first"
    return `The plan includes ${this.limit} ${this.resource}, and there are ${this.current}; ${more}`
  }
}
