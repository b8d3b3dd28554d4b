/** The statements of requests that break a rule of Citus today. The list may only become shorter. */
import type { CitusRule } from "./CitusRules.ts"

/** Statements by a part of their text, and why they are accepted. */
interface Exception {
  readonly holds: string
  readonly reason: string
}

const administration = "super-admins change it, a few times a day"
const ownSettings = "members change it, a few times a year"
const oneStatement =
  "on PostgreSQL one statement saves a round trip; on Citus it fails while a node is down, until there is a form in plain statements"

export const citusExceptions: Readonly<Record<CitusRule, ReadonlyArray<Exception>>> = {
  lock: [
    { holds: "FROM livery_migrations WHERE false", reason: "it locks no row" },
    { holds: "FROM platform_settings WHERE setting_key", reason: administration }
  ],
  update: [
    { holds: "UPDATE users u SET name", reason: ownSettings },
    { holds: "UPDATE users SET password_hash", reason: ownSettings },
    { holds: "erased.invalid", reason: "an erasure of an account" },
    { holds: "UPDATE business_members SET role", reason: ownSettings },
    { holds: 'UPDATE businesses SET "business_name"', reason: ownSettings },
    { holds: 'UPDATE businesses SET "updated_at"', reason: administration },
    { holds: "UPDATE platform_settings", reason: administration }
  ],
  returning: [],
  "writing-cte": [
    { holds: "WITH t AS ( INSERT INTO trips", reason: oneStatement },
    { holds: "WITH event AS ( INSERT INTO events", reason: oneStatement },
    { holds: "WITH seen AS MATERIALIZED", reason: oneStatement }
  ],
  exists: [
    { holds: "WITH seen AS MATERIALIZED", reason: "it is bound to the business by a parameter as a whole" }
  ],
  setval: []
}
