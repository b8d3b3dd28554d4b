/** The contracts of all ports that a database implements. */
import type { Contract } from "./Contract.ts"
import { apiKeyRepository } from "./ApiKeyRepository.ts"
import { auditLog } from "./AuditLog.ts"
import { businessProfileRepository } from "./BusinessProfileRepository.ts"
import { businessRepository } from "./BusinessRepository.ts"
import { carRepository } from "./CarRepository.ts"
import { deviceRepository } from "./DeviceRepository.ts"
import { driverTokenRepository } from "./DriverTokenRepository.ts"
import { idempotencyStore } from "./IdempotencyStore.ts"
import { invoiceRepository } from "./InvoiceRepository.ts"
import { linkedIdentityRepository } from "./LinkedIdentityRepository.ts"
import { mailOutbox } from "./MailOutbox.ts"
import { planRepository } from "./PlanRepository.ts"
import { readiness } from "./Readiness.ts"
import { sessionRepository } from "./SessionRepository.ts"
import { transaction } from "./Transaction.ts"
import { uploadRepository } from "./UploadRepository.ts"
import { userRepository } from "./UserRepository.ts"
import { verificationCodeRepository } from "./VerificationCodeRepository.ts"

export const contracts: ReadonlyArray<Contract> = [
  apiKeyRepository,
  auditLog,
  businessProfileRepository,
  businessRepository,
  carRepository,
  deviceRepository,
  driverTokenRepository,
  idempotencyStore,
  invoiceRepository,
  linkedIdentityRepository,
  mailOutbox,
  planRepository,
  readiness,
  sessionRepository,
  transaction,
  uploadRepository,
  userRepository,
  verificationCodeRepository
]
