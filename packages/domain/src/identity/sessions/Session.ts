/** Sessions, and the tokens that keep them alive (docs/api/authentication.md). */
import { type DateTime, Duration, Redacted, Schema, SchemaTransformation } from "effect"
import { BusinessSummary } from "../../business/Business.ts"
import type { Membership } from "../../business/Role.ts"
import type { SessionId, UserId } from "../../kernel/Ids.ts"
import { EmailAddress } from "../../kernel/fields/EmailAddress.ts"
import { optionalText } from "../../kernel/fields/Text.ts"
import { EnteredPassword } from "../users/PasswordFields.ts"
import { AccountType, type User } from "../users/User.ts"

/** The lifetime of a refresh token. */
export const refreshTokenLifetime = Duration.days(30)

/** The lifetime of a session: refreshing does not extend it. */
export const sessionLifetime = Duration.days(180)

/** The input of a login. */
export const LoginInput = Schema.Struct({
  email: EmailAddress,
  password: EnteredPassword,
  device_name: optionalText(200)
})
export type LoginInput = typeof LoginInput.Type

/** The result of a login. `expires_in` is in seconds. */
export const LoginResult = Schema.Struct({
  token_type: Schema.Literal("Bearer"),
  access_token: Schema.String,
  expires_in: Schema.Int,
  refresh_token: Schema.String,
  user: Schema.Struct({ id: Schema.Int, email: Schema.String, account_type: AccountType }),
  businesses: Schema.Array(BusinessSummary)
})
export type LoginResult = typeof LoginResult.Type

/** The result of a refresh: a new pair of tokens. `expires_in` is in seconds. */
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

/** The input of a refresh. The token may be in a cookie instead. */
export const RefreshInput = Schema.Struct({ refresh_token: optionalToken })
export type RefreshInput = typeof RefreshInput.Type

/** The input of a logout. */
export const LogoutInput = Schema.Struct({ refresh_token: optionalToken })
export type LogoutInput = typeof LogoutInput.Type

/** The result of a logout: whether this call ended a session. */
export const LogoutResult = Schema.Struct({ logged_out: Schema.Boolean })
export type LogoutResult = typeof LogoutResult.Type

/** An active session: its user, and the user's businesses and role in each. */
export interface ActiveSession {
  readonly user: User
  readonly businesses: ReadonlyArray<Membership>
}

/** A refresh token and its session, whose row is locked. All tokens of one session are its family. */
export interface LockedToken {
  readonly sessionId: SessionId
  readonly userId: UserId
  /** Whether the session was revoked. */
  readonly revoked: boolean
  /** When the session ends. */
  readonly sessionExpiresAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
  /** Null for the session's current token. */
  readonly rotatedAt: DateTime.Utc | null
  /** The token's successor, encrypted. Only the last rotation keeps it, and only if there is a grace period. */
  readonly sealedSuccessor: string | null
}
