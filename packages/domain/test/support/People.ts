import type {
  ActingBusiness,
  BusinessId,
  Currency,
  Membership,
  SessionId,
  User,
  UserId
} from "@livery/domain"

/** An acting business: active, in UTC and with USD by default. */
export const business = (id: number, change: Partial<ActingBusiness> = {}): ActingBusiness => ({
  business_id: id as BusinessId,
  business_name: `Business ${id}`,
  status: "A",
  currency: "USD" as Currency,
  timezone: "UTC",
  ...change
})

/** A verified admin with a session. */
export const user = (id: number): { readonly user: User; readonly sessionId: SessionId } => ({
  sessionId: (1000 + id) as SessionId,
  user: {
    user_id: id as UserId,
    email: `user${id}@example.com`,
    name: `User ${id}`,
    mobile_phone: null,
    account_type: "A",
    email_verified: true
  }
})

/** A business that a user acts for as its owner. */
export const owned = (of: ActingBusiness): Membership => ({ ...of, role: "owner" })
