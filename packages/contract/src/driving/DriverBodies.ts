/** The response bodies that both groups of driver routes share. OpenAPI lists each once. */
import { BrandRecord, DriverTripRecord, LocationBatchReceipt, LocationReceipt } from "@livery/domain/records"
import { data } from "../http/Envelope.ts"

export const DriverOfficeBody = data(BrandRecord, "DriverOfficeBody")
export const DriverTripBody = data(DriverTripRecord, "DriverTripBody")
export const LocationBatchReceiptBody = data(LocationBatchReceipt, "LocationBatchReceiptBody")
export const LocationReceiptBody = data(LocationReceipt, "LocationReceiptBody")
