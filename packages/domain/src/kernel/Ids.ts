/** Identifiers: positive integers with a type for each record, so that the compiler refuses the id of another record. */
import { Schema } from "effect"

// The check keeps its own description, which the command line shows.
const PositiveInt = Schema.Int.check(
  Schema.isGreaterThan(0, { fieldIssue: "out_of_range", accepted: "at least 1" })
)

/** Identifies a business: the tenant that all other records belong to. */
export const BusinessId = PositiveInt.pipe(Schema.brand("BusinessId"))
export type BusinessId = typeof BusinessId.Type

/** Identifies the account of a person, who may belong to several businesses. */
export const UserId = PositiveInt.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** Identifies one sign-in of a user, with all refresh tokens that descend from it. */
export const SessionId = PositiveInt.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** Identifies a trip: one booked ride. */
export const TripId = PositiveInt.pipe(Schema.brand("TripId"))
export type TripId = typeof TripId.Type

/** Identifies a vehicle of a business. */
export const CarId = PositiveInt.pipe(Schema.brand("CarId"))
export type CarId = typeof CarId.Type

/** Identifies a receiver's address for webhooks. */
export const EndpointId = PositiveInt.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

/** Identifies the delivery of one event to one endpoint. Events have ids of their own, which are texts. */
export const DeliveryId = PositiveInt.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

/** Identifies a driver's record in a business; the account of the driver, if there is one, has a `UserId`. */
export const DriverId = PositiveInt.pipe(Schema.brand("DriverId"))
export type DriverId = typeof DriverId.Type

/** Identifies a view that a user saved. */
export const SavedViewId = PositiveInt.pipe(Schema.brand("SavedViewId"))
export type SavedViewId = typeof SavedViewId.Type

/** Identifies an absence of a driver. */
export const AbsenceId = PositiveInt.pipe(Schema.brand("AbsenceId"))
export type AbsenceId = typeof AbsenceId.Type

/** Identifies a client of a business. */
export const CustomerId = PositiveInt.pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

/** Identifies the assignment of one driver to one trip. */
export const AssignmentId = PositiveInt.pipe(Schema.brand("AssignmentId"))
export type AssignmentId = typeof AssignmentId.Type

/** Identifies an invoice. The number that customers see is another one. */
export const InvoiceId = PositiveInt.pipe(Schema.brand("InvoiceId"))
export type InvoiceId = typeof InvoiceId.Type

/** Identifies a quote: an offer of a price. */
export const QuoteId = PositiveInt.pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

/** Identifies a service that customers book. */
export const ProductId = PositiveInt.pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

/** Identifies a booking: places of a product for a customer. */
export const BookingId = PositiveInt.pipe(Schema.brand("BookingId"))
export type BookingId = typeof BookingId.Type

/** Identifies a tariff. All of its versions have the same id. */
export const TariffId = PositiveInt.pipe(Schema.brand("TariffId"))
export type TariffId = typeof TariffId.Type

/** Identifies a credit note of an invoice. */
export const CreditNoteId = PositiveInt.pipe(Schema.brand("CreditNoteId"))
export type CreditNoteId = typeof CreditNoteId.Type

/** Identifies an entry in the ledger of an invoice: a payment or a refund. */
export const PaymentId = PositiveInt.pipe(Schema.brand("PaymentId"))
export type PaymentId = typeof PaymentId.Type

/** Identifies a remittance: money that was received at once and pays one or several invoices. */
export const RemittanceId = PositiveInt.pipe(Schema.brand("RemittanceId"))
export type RemittanceId = typeof RemittanceId.Type

/** Identifies an imported bank statement. */
export const BankStatementId = PositiveInt.pipe(Schema.brand("BankStatementId"))
export type BankStatementId = typeof BankStatementId.Type

/** Identifies an entry of a bank statement. */
export const BankEntryId = PositiveInt.pipe(Schema.brand("BankEntryId"))
export type BankEntryId = typeof BankEntryId.Type

/** Identifies a run that invoices a month for all customers. */
export const MonthlyRunId = PositiveInt.pipe(Schema.brand("MonthlyRunId"))
export type MonthlyRunId = typeof MonthlyRunId.Type

/** Identifies an import of a table. */
export const ImportId = PositiveInt.pipe(Schema.brand("ImportId"))
export type ImportId = typeof ImportId.Type

/** Identifies a template of trips. */
export const TripTemplateId = PositiveInt.pipe(Schema.brand("TripTemplateId"))
export type TripTemplateId = typeof TripTemplateId.Type

/** Identifies an uploaded file. */
export const UploadId = PositiveInt.pipe(Schema.brand("UploadId"))
export type UploadId = typeof UploadId.Type

/** Identifies a plan of subscriptions. */
export const PlanId = PositiveInt.pipe(Schema.brand("PlanId"))
export type PlanId = typeof PlanId.Type

/** Identifies a notice: one message about a trip to one person. */
export const NoticeId = PositiveInt.pipe(Schema.brand("NoticeId"))
export type NoticeId = typeof NoticeId.Type
