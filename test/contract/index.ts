/** The contracts of all ports that a database implements. */
import type { Contract } from "./Contract.ts"
import { absenceRepository } from "./AbsenceRepository.ts"
import { adminBusinessRepository } from "./AdminBusinessRepository.ts"
import { adminUserRepository } from "./AdminUserRepository.ts"
import { accountRepository } from "./AccountRepository.ts"
import { apiKeyRepository } from "./ApiKeyRepository.ts"
import { assignmentRepository } from "./AssignmentRepository.ts"
import { auditHistory } from "./AuditHistory.ts"
import { auditLog } from "./AuditLog.ts"
import { billableTripRepository } from "./BillableTripRepository.ts"
import { businessProfileRepository } from "./BusinessProfileRepository.ts"
import { businessRepository } from "./BusinessRepository.ts"
import { calendarRepository } from "./CalendarRepository.ts"
import { cardIntentRepository } from "./CardIntentRepository.ts"
import { carRepository } from "./CarRepository.ts"
import { creditNoteRepository } from "./CreditNoteRepository.ts"
import { customerRepository } from "./CustomerRepository.ts"
import { deliveryQueue } from "./DeliveryQueue.ts"
import { deliveryRepository } from "./DeliveryRepository.ts"
import { departureRepository } from "./DepartureRepository.ts"
import { deviceRepository } from "./DeviceRepository.ts"
import { screenRepository } from "./ScreenRepository.ts"
import { dispatchBoardRepository } from "./DispatchBoardRepository.ts"
import { driverInvitationRepository } from "./DriverInvitationRepository.ts"
import { driverLocationRepository } from "./DriverLocationRepository.ts"
import { driverPayRepository } from "./DriverPayRepository.ts"
import { driverRepository } from "./DriverRepository.ts"
import { driverTokenRepository } from "./DriverTokenRepository.ts"
import { driverTripRepository } from "./DriverTripRepository.ts"
import { flightRepository } from "./FlightRepository.ts"
import { freeDriverRepository } from "./FreeDriverRepository.ts"
import { endpointRepository } from "./EndpointRepository.ts"
import { erasureRepository } from "./ErasureRepository.ts"
import { eventHistory } from "./EventHistory.ts"
import { eventLog } from "./EventLog.ts"
import { eventPositions } from "./EventPositions.ts"
import { idempotencyStore } from "./IdempotencyStore.ts"
import { invoiceFactsRepository } from "./InvoiceFactsRepository.ts"
import { invoiceSnapshotRepository } from "./InvoiceSnapshotRepository.ts"
import { invoiceTimelineRepository } from "./InvoiceTimelineRepository.ts"
import { invoicedBookings } from "./InvoicedBookings.ts"
import { invoiceNumberingRepository } from "./InvoiceNumberingRepository.ts"
import { invoiceRepository } from "./InvoiceRepository.ts"
import { linkedIdentityRepository } from "./LinkedIdentityRepository.ts"
import { letterRepository } from "./LetterRepository.ts"
import { mailOutbox } from "./MailOutbox.ts"
import { noticeMarks } from "./NoticeMarks.ts"
import { noticeRepository } from "./NoticeRepository.ts"
import { noticeSettingsRepository } from "./NoticeSettingsRepository.ts"
import { planCatalogue } from "./PlanCatalogue.ts"
import { paymentRepository } from "./PaymentRepository.ts"
import { memberInvitationRepository } from "./MemberInvitationRepository.ts"
import { memberRepository } from "./MemberRepository.ts"
import { bookRepository } from "./BookRepository.ts"
import { bookingRepository } from "./BookingRepository.ts"
import { personalData } from "./PersonalData.ts"
import { personalDocuments } from "./PersonalDocuments.ts"
import { personRecords } from "./PersonRecords.ts"
import { personalFiles } from "./PersonalFiles.ts"
import { personalInvoices } from "./PersonalInvoices.ts"
import { productRepository } from "./ProductRepository.ts"
import { platformSettingRepository } from "./PlatformSettingRepository.ts"
import { planRepository } from "./PlanRepository.ts"
import { quoteRepository } from "./QuoteRepository.ts"
import { readiness } from "./Readiness.ts"
import { importRepository } from "./ImportRepository.ts"
import { matchRepository } from "./MatchRepository.ts"
import { monthlyRunRepository } from "./MonthlyRunRepository.ts"
import { bankStatementRepository } from "./BankStatementRepository.ts"
import { remittanceRepository } from "./RemittanceRepository.ts"
import { reminderRepository } from "./ReminderRepository.ts"
import { reportRepository } from "./ReportRepository.ts"
import { scheduleRepository } from "./ScheduleRepository.ts"
import { saasCouponRepository } from "./SaasCouponRepository.ts"
import { saasInvoiceRepository } from "./SaasInvoiceRepository.ts"
import { seatRepository } from "./SeatRepository.ts"
import { seatSubscriptionRepository } from "./SeatSubscriptionRepository.ts"
import { subscriptionStatusRepository } from "./SubscriptionStatusRepository.ts"
import { sessionRepository } from "./SessionRepository.ts"
import { tariffRepository } from "./TariffRepository.ts"
import { timelineRepository } from "./TimelineRepository.ts"
import { trackingRepository } from "./TrackingRepository.ts"
import { transaction } from "./Transaction.ts"
import { tripCriteria } from "./TripFilters.ts"
import { tripFareRepository } from "./TripFareRepository.ts"
import { tripIds } from "./TripIds.ts"
import { tripListRepository } from "./TripListRepository.ts"
import { tripReferences } from "./TripReferences.ts"
import { tripRepository } from "./TripRepository.ts"
import { tripTemplateRepository } from "./TripTemplateRepository.ts"
import { uploadRepository } from "./UploadRepository.ts"
import { userRepository } from "./UserRepository.ts"
import { verificationCodeRepository } from "./VerificationCodeRepository.ts"

export const contracts: ReadonlyArray<Contract> = [
  absenceRepository,
  adminBusinessRepository,
  adminUserRepository,
  accountRepository,
  apiKeyRepository,
  assignmentRepository,
  auditHistory,
  auditLog,
  billableTripRepository,
  bookRepository,
  businessProfileRepository,
  businessRepository,
  calendarRepository,
  cardIntentRepository,
  carRepository,
  customerRepository,
  deliveryQueue,
  deliveryRepository,
  departureRepository,
  deviceRepository,
  screenRepository,
  dispatchBoardRepository,
  driverInvitationRepository,
  driverLocationRepository,
  driverPayRepository,
  driverRepository,
  driverTokenRepository,
  driverTripRepository,
  endpointRepository,
  erasureRepository,
  eventHistory,
  eventLog,
  eventPositions,
  flightRepository,
  freeDriverRepository,
  idempotencyStore,
  invoiceFactsRepository,
  invoiceSnapshotRepository,
  invoiceTimelineRepository,
  invoiceNumberingRepository,
  invoiceRepository,
  invoicedBookings,
  linkedIdentityRepository,
  letterRepository,
  mailOutbox,
  noticeMarks,
  noticeRepository,
  noticeSettingsRepository,
  planCatalogue,
  creditNoteRepository,
  paymentRepository,
  memberInvitationRepository,
  memberRepository,
  planRepository,
  personalData,
  personalDocuments,
  personRecords,
  personalFiles,
  personalInvoices,
  productRepository,
  bookingRepository,
  platformSettingRepository,
  quoteRepository,
  readiness,
  importRepository,
  matchRepository,
  monthlyRunRepository,
  bankStatementRepository,
  remittanceRepository,
  reminderRepository,
  reportRepository,
  scheduleRepository,
  saasCouponRepository,
  saasInvoiceRepository,
  seatRepository,
  seatSubscriptionRepository,
  subscriptionStatusRepository,
  sessionRepository,
  tariffRepository,
  timelineRepository,
  trackingRepository,
  transaction,
  tripCriteria,
  tripFareRepository,
  tripIds,
  tripListRepository,
  tripReferences,
  tripRepository,
  tripTemplateRepository,
  uploadRepository,
  userRepository,
  verificationCodeRepository
]
