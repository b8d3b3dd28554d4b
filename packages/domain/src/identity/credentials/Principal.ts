/** The callers that credentials identify (docs/api/authentication.md). */
import type { Redacted } from "effect"
import type { ActingBusiness } from "../../business/Business.ts"
import type { Membership } from "../../business/Role.ts"
import type { SessionId } from "../../kernel/Ids.ts"
import type { User } from "../users/User.ts"

/** A server-to-server integration, identified by an API key of its business. */
export interface ApiKeyPrincipal {
  readonly _tag: "ApiKey"
  readonly business: ActingBusiness
}

/** A signed-in user, with the businesses that the user may act for, and the role in each. */
export interface UserPrincipal {
  readonly _tag: "User"
  readonly user: User
  readonly sessionId: SessionId
  readonly businesses: ReadonlyArray<Membership>
}

/** A driver without an account, identified by the token of one assignment. */
export interface DriverTokenPrincipal {
  readonly _tag: "DriverToken"
  readonly token: Redacted.Redacted
}

/** A caller with a bearer credential. */
export type BearerPrincipal = ApiKeyPrincipal | UserPrincipal
