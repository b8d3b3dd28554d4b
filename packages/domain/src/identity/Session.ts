/** Sessions and the tokens that keep them alive (specification, Login result; Authentication, rules 7 to 9). */
import { Context, type DateTime, Duration, Redacted, Schema, SchemaTransformation } from "effect"
import { type ActingBusiness, BusinessSummary } from "../business/Business.ts"
import type { SessionId, UserId } from "../kernel/Ids.ts"
import { EmailAddress } from "../kernel/fields/EmailAddress.ts"
import { optionalText, text } from "../kernel/fields/Text.ts"
import { GivenPassword } from "./PasswordHasher.ts"
import type { ActingDriver } from "./SignedInDriver.ts"
import { AccountType, type User } from "./User.ts"

/** How long a refresh token lives from its issue. */
export const refreshTokenLifetime = Duration.days(30)

/** How long a sign-in can be kept alive by refreshing, in all. */
export const sessionLifetime = Duration.days(180)

/**
 * How long after its rotation the last token may be presented again, by a client that lost the answer; it is then
 * given the same successor. Zero unless told: every replay is theft (specification, Authentication, rule 7).
 */
export const RefreshGrace = Context.Reference<Duration.Duration>("@livery/domain/RefreshGrace", {
  defaultValue: () => Duration.zero
})

/** What `POST /auth/login` takes. */
export const LoginInput = Schema.Struct({
  email: EmailAddress,
  password: GivenPassword,
  device_name: optionalText(200)
})
export type LoginInput = typeof LoginInput.Type

/** What a login answers. `expires_in` is in seconds. */
export const LoginResult = Schema.Struct({
  token_type: Schema.Literal("Bearer"),
  access_token: Schema.String,
  expires_in: Schema.Int,
  refresh_token: Schema.String,
  user: Schema.Struct({ id: Schema.Int, email: Schema.String, account_type: AccountType }),
  businesses: Schema.Array(BusinessSummary)
})
export type LoginResult = typeof LoginResult.Type

/** What `POST /auth/refresh` takes. */
export const RefreshInput = Schema.Struct({ refresh_token: text(512).pipe(Schema.RedactedFromValue) })
export type RefreshInput = typeof RefreshInput.Type

/** What a refresh answers: a new pair of tokens. `expires_in` is in seconds. */
export const RefreshResult = Schema.Struct({
  token_type: Schema.Literal("Bearer"),
  access_token: Schema.String,
  expires_in: Schema.Int,
  refresh_token: Schema.String
})
export type RefreshResult = typeof RefreshResult.Type

const optionalToken = optionalText(512).pipe(
  Schema.decodeTo(
    Schema.NullOr(Schema.Redacted(Schema.String)),
    SchemaTransformation.transform<Redacted.Redacted | null, string | null>({
      decode: (token) => (token === null ? null : Redacted.make(token)),
      encode: (token) => (token === null ? null : Redacted.value(token))
    })
  )
)

/** What `POST /auth/logout` takes. */
export const LogoutInput = Schema.Struct({ refresh_token: optionalToken })
export type LogoutInput = typeof LogoutInput.Type

/** What a logout answers: whether it was this one that ended a session. */
export const LogoutResult = Schema.Struct({ logged_out: Schema.Boolean })
export type LogoutResult = typeof LogoutResult.Type

/** A session that stands: whose it is, for which businesses that user may act, and for which it drives. */
export interface StandingSession {
  readonly user: User
  readonly businesses: ReadonlyArray<ActingBusiness>
  readonly drivers: ReadonlyArray<ActingDriver>
}

/** A refresh token whose family is locked: how both stand. */
export interface HeldToken {
  readonly sessionId: SessionId
  readonly userId: UserId
  /** Whether the family was revoked. */
  readonly revoked: boolean
  /** When the family ends, whatever happens. */
  readonly sessionExpiresAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** Null while the token is the family's live one. */
  readonly rotatedAt: DateTime.Utc | null
  /** The token's successor, sealed: kept of the last rotation alone, and only where there is a grace. */
  readonly sealedSuccessor: string | null
}
