/** The bodies that both kinds of drivers' routes answer with; OpenAPI lists each once. */
import { DriverTripRecord, LocationReceipt } from "@livery/domain"
import { data } from "../http/Envelope.ts"

export const DriverTripBody = data(DriverTripRecord, "DriverTripBody")
export const LocationReceiptBody = data(LocationReceipt, "LocationReceiptBody")
