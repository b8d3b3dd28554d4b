/** Links to iCalendar feeds, and the feeds (docs/api/calendars.md). */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CalendarLinkRecord, CustomerId, DeletionResult, DriverId } from "@livery/domain/records"
import { BusinessAccess, inArea, PublicAccess, UserForBusinessAccess } from "../http/Access.ts"
import { basePath, created, recordId, summary } from "../http/Contract.ts"
import { data } from "../http/Envelope.ts"
import { wireErrors } from "../http/ErrorMap.ts"
import { revalidated, secretParameter } from "../http/Traits.ts"

const LinkBody = data(CalendarLinkRecord, "CalendarLinkBody").pipe(created)
const LinkDeletedBody = data(DeletionResult, "CalendarLinkDeletedBody")

const ofDriver = { params: { id: recordId(DriverId) }, error: wireErrors.notFound }
const ofCustomer = { params: { id: recordId(CustomerId) }, error: wireErrors.notFound }

/**
 * The routes that make and end the links of calendars. The link of the office belongs to the member who makes it, so its
 * routes are for members alone; the others are for API keys too. The rights are those in the areas `operations` and, for a
 * customer's link, `customers`.
 */
export const CalendarsApi = HttpApiGroup.make("calendars")
  .add(
    HttpApiEndpoint.post("linkOffice", "/calendar-link", { success: LinkBody, error: wireErrors.notFound })
      .middleware(UserForBusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(
        summary(
          "Create the member's link to a calendar of all trips; only this response has it, and an earlier link stops working"
        )
      ),
    HttpApiEndpoint.delete("unlinkOffice", "/calendar-link", {
      success: LinkDeletedBody,
      error: wireErrors.notFound
    })
      .middleware(UserForBusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(summary("Remove the member's link to a calendar of all trips")),
    HttpApiEndpoint.post("linkDriver", "/drivers/:id/calendar-link", { ...ofDriver, success: LinkBody })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(
        summary(
          "Create the link to a driver's calendar; only this response has it, and an earlier link stops working"
        )
      ),
    HttpApiEndpoint.delete("unlinkDriver", "/drivers/:id/calendar-link", {
      ...ofDriver,
      success: LinkDeletedBody
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("operations"))
      .annotateMerge(summary("Remove the link to a driver's calendar")),
    HttpApiEndpoint.post("linkCustomer", "/customers/:id/calendar-link", { ...ofCustomer, success: LinkBody })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("customers"))
      .annotateMerge(
        summary(
          "Create the link to a customer's calendar; only this response has it, and an earlier link stops working"
        )
      ),
    HttpApiEndpoint.delete("unlinkCustomer", "/customers/:id/calendar-link", {
      ...ofCustomer,
      success: LinkDeletedBody
    })
      .middleware(BusinessAccess)
      .annotateMerge(inArea("customers"))
      .annotateMerge(summary("Remove the link to a customer's calendar"))
  )
  .prefix(basePath)
  .annotateMerge(OpenApi.annotations({ title: "Calendars" }))

/** The feed of a link, for any calendar that has it. */
export const PublicCalendarsApi = HttpApiGroup.make("publicCalendars")
  .add(
    HttpApiEndpoint.get("read", "/:token/calendar.ics", {
      params: { token: Schema.String },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/calendar" })),
      error: wireErrors.notFound
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        summary(
          "The calendar of a link (RFC 5545): 30 days back and 180 ahead, with cancelled events for 7 days"
        )
      )
  )
  .middleware(PublicAccess)
  .prefix(`${basePath}/public/calendars`)
  .annotateMerge(OpenApi.annotations({ title: "Calendars by link" }))
  .annotateMerge(secretParameter("token"))
