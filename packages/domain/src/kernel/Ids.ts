/** Identifiers: positive integers with a type for each record, so that the compiler refuses the id of another record. */
import { Schema } from "effect"

const PositiveInt = Schema.Int.check(Schema.isGreaterThan(0))

export const BusinessId = PositiveInt.pipe(Schema.brand("BusinessId"))
export type BusinessId = typeof BusinessId.Type

export const UserId = PositiveInt.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const SessionId = PositiveInt.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

export const TripId = PositiveInt.pipe(Schema.brand("TripId"))
export type TripId = typeof TripId.Type

export const CarId = PositiveInt.pipe(Schema.brand("CarId"))
export type CarId = typeof CarId.Type

export const EndpointId = PositiveInt.pipe(Schema.brand("EndpointId"))
export type EndpointId = typeof EndpointId.Type

export const DeliveryId = PositiveInt.pipe(Schema.brand("DeliveryId"))
export type DeliveryId = typeof DeliveryId.Type

export const DriverId = PositiveInt.pipe(Schema.brand("DriverId"))
export type DriverId = typeof DriverId.Type

export const AbsenceId = PositiveInt.pipe(Schema.brand("AbsenceId"))
export type AbsenceId = typeof AbsenceId.Type

export const CustomerId = PositiveInt.pipe(Schema.brand("CustomerId"))
export type CustomerId = typeof CustomerId.Type

export const AssignmentId = PositiveInt.pipe(Schema.brand("AssignmentId"))
export type AssignmentId = typeof AssignmentId.Type

export const InvoiceId = PositiveInt.pipe(Schema.brand("InvoiceId"))
export type InvoiceId = typeof InvoiceId.Type

export const QuoteId = PositiveInt.pipe(Schema.brand("QuoteId"))
export type QuoteId = typeof QuoteId.Type

export const ProductId = PositiveInt.pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

export const BookingId = PositiveInt.pipe(Schema.brand("BookingId"))
export type BookingId = typeof BookingId.Type

export const TariffId = PositiveInt.pipe(Schema.brand("TariffId"))
export type TariffId = typeof TariffId.Type

export const CreditNoteId = PositiveInt.pipe(Schema.brand("CreditNoteId"))
export type CreditNoteId = typeof CreditNoteId.Type

export const PaymentId = PositiveInt.pipe(Schema.brand("PaymentId"))
export type PaymentId = typeof PaymentId.Type

export const UploadId = PositiveInt.pipe(Schema.brand("UploadId"))
export type UploadId = typeof UploadId.Type

export const PlanId = PositiveInt.pipe(Schema.brand("PlanId"))
export type PlanId = typeof PlanId.Type
