/** The recorded statements that break a rule of Citus today. The list may only become shorter. */
import type { CitusRule } from "./CitusRules.ts"

/** Statements by a part of their text, and why they are accepted. */
interface Exception {
  readonly holds: string
  readonly reason: string
}

const administration = "super-admins change it, a few times a day"
const ownSettings = "members change it, a few times a year"
const ofProvider = "the payment provider reports it, a few times a year"
const ofCoordinator = "its table is on the coordinator only"

export const citusExceptions: Readonly<Record<CitusRule, ReadonlyArray<Exception>>> = {
  lock: [
    { holds: "FROM livery_migrations WHERE false", reason: "it locks no row" },
    { holds: "FROM platform_settings WHERE setting_key", reason: administration },
    { holds: "SELECT business_id, subscription_status FROM businesses", reason: ofProvider }
  ],
  update: [
    { holds: "UPDATE users u SET name", reason: ownSettings },
    { holds: "UPDATE users SET password_hash", reason: ownSettings },
    { holds: "erased.invalid", reason: "an erasure of an account" },
    { holds: "UPDATE business_members SET role", reason: ownSettings },
    { holds: 'UPDATE businesses SET "business_name"', reason: ownSettings },
    { holds: 'UPDATE businesses SET "updated_at"', reason: administration },
    { holds: 'UPDATE businesses SET "status"', reason: administration },
    { holds: "UPDATE businesses SET status", reason: "an import ends" },
    { holds: "UPDATE businesses b SET subscription_status", reason: ofProvider },
    { holds: "UPDATE users SET email_verified_at", reason: ownSettings },
    { holds: "UPDATE api_keys SET last_used_at", reason: "in batches, once a minute" },
    { holds: "UPDATE secret_check", reason: "the installation gets another secret" },
    { holds: "UPDATE platform_settings", reason: administration }
  ],
  returning: [{ holds: "INSERT INTO saas_coupons", reason: ofCoordinator }],
  "writing-cte": [],
  exists: [],
  setval: []
}
