/** The profile of the acting business (docs/api/settings.md). */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  BusinessProfileChanges,
  BusinessProfileRecord,
  FlightSettingsChanges,
  FlightSettingsRecord,
  InvoiceNumberingChanges,
  InvoiceNumberingRecord,
  ReminderPreview,
  ReminderPreviewInput
} from "@livery/domain/records"
import { BusinessAccess, inArea } from "../http/Access.ts"
import { basePath, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { ifMatch, tagged } from "../http/SafeEdits.ts"

const SettingsBody = tagged(data(BusinessProfileRecord, "SettingsBody"))
const FlightSettingsBody = tagged(data(FlightSettingsRecord, "FlightSettingsBody"))
const InvoiceNumbersBody = tagged(data(InvoiceNumberingRecord, "InvoiceNumbersBody"))

/**
 * The profile of the business under `/settings/business`, and the numbers of its invoices and credit notes. For API keys and members with a right in the area
 * `settings`.
 */
export const SettingsApi = HttpApiGroup.make("settings")
  .add(
    HttpApiEndpoint.get("read", "/business", {
      success: SettingsBody,
      error: wireErrors.notFound
    }).annotateMerge(summary("The acting business's profile, time zone, currency and policies")),
    HttpApiEndpoint.patch("update", "/business", {
      headers: ifMatch,
      payload: BusinessProfileChanges,
      success: SettingsBody,
      error: [wireErrors.notFound, wireErrors.conflict]
    }).annotateMerge(
      summary("Change the profile; a new time zone applies from now on, and booked trips keep their currency")
    ),
    HttpApiEndpoint.post("previewReminder", "/dunning/preview", {
      payload: ReminderPreviewInput,
      success: data(ReminderPreview, "ReminderPreviewBody")
    }).annotateMerge(
      summary("The reminder of an example invoice in a wording, or in the words of Livery; nothing is stored")
    ),
    HttpApiEndpoint.get("readInvoiceNumbers", "/invoice-numbers", {
      success: InvoiceNumbersBody
    }).annotateMerge(summary("How invoices are numbered, and the number of the next one")),
    HttpApiEndpoint.patch("updateInvoiceNumbers", "/invoice-numbers", {
      headers: ifMatch,
      payload: InvoiceNumberingChanges,
      success: InvoiceNumbersBody,
      error: wireErrors.conflict
    }).annotateMerge(summary("Change the numbers of later invoices: their format and the next count")),
    HttpApiEndpoint.get("readCreditNoteNumbers", "/credit-note-numbers", {
      success: InvoiceNumbersBody
    }).annotateMerge(summary("How credit notes are numbered, and the number of the next one")),
    HttpApiEndpoint.patch("updateCreditNoteNumbers", "/credit-note-numbers", {
      headers: ifMatch,
      payload: InvoiceNumberingChanges,
      success: InvoiceNumbersBody,
      error: wireErrors.conflict
    }).annotateMerge(summary("Change the numbers of later credit notes: their format and the next count")),
    HttpApiEndpoint.get("readFlights", "/flights", {
      success: FlightSettingsBody
    }).annotateMerge(summary("How pickups follow flights, and whether the installation can look flights up")),
    HttpApiEndpoint.patch("updateFlights", "/flights", {
      headers: ifMatch,
      payload: FlightSettingsChanges,
      success: FlightSettingsBody,
      error: wireErrors.conflict
    }).annotateMerge(summary("Change how pickups follow flights: on or off, the limits and the buffer"))
  )
  .middleware(BusinessAccess)
  .annotateMerge(inArea("settings"))
  .prefix(`${basePath}/settings`)
  .annotateMerge(OpenApi.annotations({ title: "Settings" }))
