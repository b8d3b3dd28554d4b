/** The store that all ports of one layer share. */
import type {
  Absence,
  AbsenceId,
  AssignmentId,
  BusinessId,
  CarId,
  CustomerId,
  DeliveryId,
  DriverId,
  EndpointId,
  FlightSettings,
  InvoiceId,
  InvoiceNumbering,
  CreditNote,
  CreditNoteId,
  Import,
  ImportId,
  ImportLine,
  MonthlyRun,
  MonthlyRunId,
  MonthlyRunItem,
  NoticeId,
  Payment,
  PaymentId,
  BookingId,
  ProductId,
  Preferences,
  SavedViewId,
  BankEntry,
  BankEntryId,
  BankStatement,
  BankStatementId,
  Remittance,
  RemittanceId,
  QuoteId,
  SaasCoupon,
  SaasInvoice,
  SessionId,
  StoredSetting,
  TariffId,
  Trip,
  TripFare,
  TripId,
  TripTemplateId,
  Upload,
  UploadId,
  UserId
} from "@livery/domain"
import { Context, type DateTime, Effect, Layer } from "effect"
import type * as Rows from "./Rows.ts"
import { makeTable } from "./Table.ts"
import { makeTransactions } from "./Transactions.ts"

/** The key of a row that belongs to two others, or has a key of two texts. */
export const pair = (one: number | string, other: number | string) => JSON.stringify([one, other])

const makeTables = (onChange: (undo: () => unknown) => void) => {
  const table = <Key, Row>() => makeTable<Key, Row>(onChange)
  return {
    /** By the setting's key. */
    platformSettings: table<string, StoredSetting>(),
    coupons: table<number, SaasCoupon>(),
    saasInvoices: table<number, SaasInvoice>(),
    audit: table<number, Rows.AuditRow>(),
    businesses: table<BusinessId, Rows.BusinessRow>(),
    /** By business and user. */
    members: table<string, Rows.MemberRow>(),
    /** By the code's hash. */
    memberInvitations: table<string, Rows.MemberInvitationRow>(),
    users: table<UserId, Rows.UserRow>(),
    codes: table<number, Rows.CodeRow>(),
    /** By issuer and subject. */
    identities: table<string, Rows.IdentityRow>(),
    sessions: table<SessionId, Rows.SessionRow>(),
    /** By the token's hash. */
    refreshTokens: table<string, Rows.RefreshTokenRow>(),
    /** By the device's token. */
    devices: table<string, Rows.DeviceRow>(),
    views: table<SavedViewId, Rows.SavedViewRow>(),
    preferences: table<UserId, Preferences>(),
    /** By the key's hash. */
    apiKeys: table<string, Rows.ApiKeyRow>(),
    cars: table<CarId, Rows.CarRow>(),
    drivers: table<DriverId, Rows.DriverRow>(),
    seats: table<number, Rows.SeatRow>(),
    seatSubscriptions: table<BusinessId, Rows.SeatSubscriptionRow>(),
    absences: table<AbsenceId, Absence>(),
    /** By the code's hash. */
    invitations: table<string, Rows.InvitationRow>(),
    customers: table<CustomerId, Rows.CustomerRow>(),
    tariffs: table<TariffId, Rows.TariffRow>(),
    products: table<ProductId, Rows.ProductRow>(),
    bookings: table<BookingId, Rows.BookingRow>(),
    /** The places of products that are taken. */
    places: table<number, Rows.PlacesRow>(),
    quotes: table<QuoteId, Rows.QuoteRow>(),
    /** By tariff and version. */
    tariffVersions: table<string, Rows.TariffVersionRow>(),
    tripFares: table<TripId, TripFare>(),
    driverPay: table<DriverId, Rows.DriverPayRow>(),
    invoices: table<InvoiceId, Rows.InvoiceRow>(),
    invoiceNumberings: table<BusinessId, InvoiceNumbering>(),
    creditNoteNumberings: table<BusinessId, InvoiceNumbering>(),
    invoiceChanges: table<number, Rows.InvoiceChangeRow>(),
    invoiceSnapshots: table<InvoiceId, Rows.InvoiceSnapshotRow>(),
    payments: table<PaymentId, Payment>(),
    imports: table<ImportId, Import>(),
    /** By import and line. */
    importLines: table<string, ImportLine & { readonly import_id: ImportId }>(),
    monthlyRuns: table<MonthlyRunId, MonthlyRun>(),
    /** By business, run, customer and currency. */
    monthlyRunItems: table<string, MonthlyRunItem>(),
    bankStatements: table<BankStatementId, BankStatement>(),
    bankEntries: table<BankEntryId, BankEntry>(),
    remittances: table<RemittanceId, Remittance>(),
    /** By remittance and entry of the ledger. */
    remittancePayments: table<string, Rows.RemittancePaymentRow>(),
    creditNotes: table<CreditNoteId, CreditNote>(),
    /** By business and the provider's id. */
    cardIntents: table<string, Rows.CardIntentRow>(),
    spentAttempts: table<string, { readonly spent: number }>(),
    refundReferences: table<string, { readonly reference: string }>(),
    /** By business and the id of the event. */
    paymentNotices: table<string, Rows.PaymentNoticeRow>(),
    /** Without their drivers, which follow from the assignments. */
    trips: table<TripId, Trip>(),
    tripTemplates: table<TripTemplateId, Rows.TripTemplateRow>(),
    assignments: table<AssignmentId, Rows.AssignmentRow>(),
    timeline: table<number, Rows.TimelineRow>(),
    /** The last position of each assignment that has one. */
    positions: table<AssignmentId, Rows.PositionRow>(),
    /** The tracking links, by trip. */
    links: table<TripId, Rows.LinkRow>(),
    flightSettings: table<BusinessId, FlightSettings>(),
    /** By trip. */
    flightChecks: table<TripId, Rows.FlightCheckRow>(),
    /** By business, and kind and id of the owner. */
    calendarLinks: table<string, Rows.CalendarLinkRow>(),
    uploads: table<UploadId, Upload>(),
    /** The ids of erased records, by business, kind and id. */
    erased: table<string, Rows.ErasedRow>(),
    /** Unfinished erasures, by key. */
    erasures: table<string, Rows.ErasureRow>(),
    /** The data of erased customers and trips that invoices retain, by kind and id. */
    retained: table<string, Rows.RetainedRow>(),
    failedLetters: table<number, Rows.FailedLetterRow>(),
    mail: table<number, Rows.MailRow>(),
    /** Changed trips whose notices are not sent yet. */
    noticeMarks: table<TripId, Rows.NoticeMarkRow>(),
    notices: table<NoticeId, Rows.NoticeRow>(),
    noticeSettings: table<BusinessId, Rows.NoticeSettingsRow>(),
    noticePreferences: table<CustomerId, Rows.NoticePreferencesRow>(),
    /** By business and the SHA-256 of the number. */
    stoppedNumbers: table<string, { readonly stopped_at: DateTime.Utc }>(),
    mailCounts: table<string, Rows.MailCountRow>(),
    idempotency: table<string, Rows.IdempotencyRow>(),
    /** By the event's id. */
    events: table<string, Rows.EventRow>(),
    endpoints: table<EndpointId, Rows.EndpointRow>(),
    deliveries: table<DeliveryId, Rows.DeliveryRow>()
  }
}

const makeStore = () => {
  const { afterCommit, onChange, run } = makeTransactions()
  return {
    ...makeTables(onChange),
    /** Runs the work in a transaction (`Transaction.run`). */
    run,
    /** `Transaction.afterCommit`. */
    afterCommit,
    /** Reads or changes rows, as one step of the fiber's transaction or as a transaction of its own. */
    step: <A>(step: () => A): Effect.Effect<A> => run(Effect.sync(step))
  }
}

/**
 * The rows of all ports, for tests: `store.events.where()` are the events that were recorded, `store.mail.where()` the
 * messages that wait. A row that a test inserts needs an id from the table's `next`.
 */
export class Store extends Context.Service<Store, ReturnType<typeof makeStore>>()("@livery/memory/Store") {
  /** An empty store. */
  static readonly make = makeStore

  static readonly layer = Layer.sync(Store, makeStore)
}

/** The layer of a port that `make` implements on the store. */
export const inMemory = <Port, Shape>(
  port: Context.Key<Port, Shape>,
  make: (store: Store["Service"]) => Shape
): Layer.Layer<Port, never, Store> => Layer.effect(port, Effect.map(Store, make))
