/** The public exports of this module. */
export * from "./AuditHistory.ts"
export * from "./AuditLog.ts"
export * from "./AuditRecord.ts"
export * from "./AuditTrail.ts"
