/** Entries of the audit log as super-admins read them (docs/api/administration.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import { textOrBlank } from "../kernel/fields/Text.ts"
import * as Value from "../kernel/fields/Value.ts"

/** Any JSON, also `null`. */
const json = Value.unchanged(Schema.Json)

/**
 * The fields of an entry. `actor` is the author (`user:17`, `cli:anna`), `subject` the record (`business:3`), `before` and
 * `after` the changed fields, `request_id` the id of the request that made the change.
 */
export const auditFields = {
  audit_id: Field.assigned(Value.id(Schema.Int)),
  at: Field.assigned(Value.instant),
  actor: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  action: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  subject: Field.says({ person: "nobody" }, Field.assigned(Value.unboundedText)),
  business_id: Field.assignedOrNull(Value.id(Schema.Int)),
  before: Field.says({ person: "anyone" }, Field.assigned(json)),
  after: Field.says({ person: "anyone" }, Field.assigned(json)),
  reason: Field.says({ person: "anyone" }, Field.assignedOrNull(Value.unboundedText)),
  request_id: Field.says({ person: "nobody" }, Field.assignedOrNull(Value.unboundedText))
}

/** An entry as stored. */
export const StoredAuditEntry = Field.storedOf(auditFields)
export type StoredAuditEntry = typeof StoredAuditEntry.Type

/** An entry in a response. */
export const AuditRecord = Field.recordOf(auditFields)
export type AuditRecord = typeof AuditRecord.Type

/** The record of an entry. */
export const auditRecord = Field.encoderOf(auditFields)

const filter = Schema.optionalKey(textOrBlank(200))

/** The filters of the audit log: the exact author, action or subject. */
export const AuditFilter = Schema.Struct({ actor: filter, action: filter, subject: filter })
export type AuditFilter = typeof AuditFilter.Type
