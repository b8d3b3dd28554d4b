import {
  AdminBusiness,
  AdminBusinessInput,
  AdminBusinessRepository,
  type BusinessId,
  EventBody,
  slugTaken
} from "@livery/domain"
import { DateTime, Effect, Option, Schema } from "effect"
import { only } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { BusinessRow } from "../store/Rows.ts"
import { anyContains } from "../store/Search.ts"
import { inMemory } from "../store/Store.ts"

const eventBody = Schema.decodeUnknownSync(Schema.fromJsonString(EventBody))

const createdAt = (body: string) => DateTime.makeUnsafe(eventBody(body).created * 1000)

const latest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.reduce<DateTime.Utc | null>(
    (last, at) => (at !== null && (last === null || DateTime.isGreaterThan(at, last)) ? at : last),
    null
  )

export const layer = inMemory(AdminBusinessRepository, (store) => {
  const { businesses, step } = store
  const recordOf = (row: BusinessRow): AdminBusiness => only(AdminBusiness, row)

  const find = (businessId: BusinessId) =>
    step(() => Option.map(Option.fromUndefinedOr(businesses.get(businessId)), recordOf))

  const change = (businessId: BusinessId, fields: Partial<BusinessRow>) =>
    step(() => businesses.change(businessId, fields)).pipe(
      Effect.flatMap((row) => Effect.orDie(Effect.fromNullishOr(row))),
      Effect.map(recordOf)
    )

  return {
    list: (search, page) =>
      step(() => {
        const listed = businesses
          .where((row) => anyContains(search, [row.business_name, row.business_email, row.vendor_slug]))
          .toSorted(ascending(({ business_id }) => [business_id]))
        return pageOf(listed.map(recordOf), page)
      }),
    find,
    lock: find,
    update: (businessId, business, now) =>
      step(() => {
        const isTaken = businesses.find(
          ({ business_id, vendor_slug }) => vendor_slug === business.vendor_slug && business_id !== businessId
        )
        if (isTaken) return "taken"
        return businesses.change(businessId, { ...only(AdminBusinessInput, business), updated_at: now })
      }).pipe(
        Effect.flatMap((updated) =>
          updated === "taken" ? Effect.fail(slugTaken()) : Effect.orDie(Effect.fromNullishOr(updated))
        ),
        Effect.map(recordOf)
      ),
    setStatus: (businessId, status, now) => change(businessId, { status, updated_at: now }),
    setCredits: (businessId, email_credits, now) => change(businessId, { email_credits, updated_at: now }),
    counts: (businessId, monthStart) =>
      step(() => {
        const mine = ({ business_id }: { readonly business_id: BusinessId }) => business_id === businessId
        const isKept = (row: { readonly deleted_at?: unknown }) => row.deleted_at === undefined
        const isOfMonth = ({ created_at }: { readonly created_at: DateTime.Utc }) =>
          DateTime.isGreaterThanOrEqualTo(created_at, monthStart)
        const trips = store.trips.where((row) => mine(row) && isKept(row))
        const invoices = store.invoices.where(mine)
        const events = store.events.where((row) => row.businessId === businessId && !row.isSample)
        const keys = store.apiKeys.where(mine)
        return {
          cars: store.cars.where((row) => mine(row) && row.active && isKept(row)).length,
          drivers: store.drivers.where((row) => mine(row) && row.active && isKept(row)).length,
          seats: store.seats.where((row) => mine(row) && row.endedAt === null).length,
          members: store.members.where(mine).length,
          customers: store.customers.where((row) => mine(row) && isKept(row)).length,
          trips: trips.length,
          trips_this_month: trips.filter(isOfMonth).length,
          invoices: invoices.length,
          invoices_this_month: invoices.filter(isOfMonth).length,
          events: events.length,
          webhooks: store.endpoints.where((row) => mine(row) && !row.isDeleted).length,
          api_keys: keys.length,
          last_activity_at: latest([
            ...events.map(({ body }) => createdAt(body)),
            ...keys.map(({ last_used_at }) => last_used_at)
          ])
        }
      })
  }
})
