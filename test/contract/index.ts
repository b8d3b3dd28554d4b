/** The contracts of all ports that a database implements. */
import { auditLog } from "./AuditLog.ts"
import type { Contract } from "./Contract.ts"
import { mailOutbox } from "./MailOutbox.ts"
import { transaction } from "./Transaction.ts"

export const contracts: ReadonlyArray<Contract> = [transaction, auditLog, mailOutbox]
