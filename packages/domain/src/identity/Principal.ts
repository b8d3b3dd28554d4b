/**
 * Everyone who can call, as a closed union (specification, Authentication, Credentials): whoever decides what a
 * caller may do has to say so for each of them.
 */
import type { Redacted } from "effect"
import type { ActingBusiness } from "../business/Business.ts"
import type { SessionId } from "../kernel/Ids.ts"
import type { ActingDriver } from "./SignedInDriver.ts"
import type { User } from "./User.ts"

/** A server-to-server integration, by its business's key. */
export interface ApiKeyPrincipal {
  readonly _tag: "ApiKey"
  readonly business: ActingBusiness
}

/** A person who signed in, with the businesses it may act for and those it drives for. */
export interface UserPrincipal {
  readonly _tag: "User"
  readonly user: User
  readonly sessionId: SessionId
  readonly businesses: ReadonlyArray<ActingBusiness>
  readonly drivers: ReadonlyArray<ActingDriver>
}

/** A driver without an account, by the token of one assignment. */
export interface DriverTokenPrincipal {
  readonly _tag: "DriverToken"
  readonly token: Redacted.Redacted
}

/** Somebody who pays an invoice, by its `payment_hash`. */
export interface InvoiceHashPrincipal {
  readonly _tag: "InvoiceHash"
  readonly hash: Redacted.Redacted
}

/** Anyone at all. */
export interface NobodyPrincipal {
  readonly _tag: "Nobody"
}

/** Who calls with a bearer credential. */
export type BearerPrincipal = ApiKeyPrincipal | UserPrincipal

/** Who calls. */
export type Principal = BearerPrincipal | DriverTokenPrincipal | InvoiceHashPrincipal | NobodyPrincipal
