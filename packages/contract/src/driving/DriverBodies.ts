/** The response bodies that both groups of driver routes share. OpenAPI lists each once. */
import { DriverTripRecord, LocationReceipt } from "@livery/domain/records"
import { data } from "../http/Envelope.ts"

export const DriverTripBody = data(DriverTripRecord, "DriverTripBody")
export const LocationReceiptBody = data(LocationReceipt, "LocationReceiptBody")
