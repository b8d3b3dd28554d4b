import {
  type BusinessId,
  maxTripTemplates,
  TripTemplate,
  TripTemplateId,
  TripTemplateRepository
} from "@livery/domain"
import { Effect, Option } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { TripTemplateRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const templateOf = (row: TripTemplateRow): TripTemplate => only(TripTemplate, row)

export const layer = inMemory(TripTemplateRepository, ({ step, tripTemplates }) => {
  const ofBusiness = (businessId: BusinessId) =>
    tripTemplates.where(({ business_id }) => business_id === businessId)
  const find = (businessId: BusinessId, templateId: TripTemplateId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(tripTemplates, businessId, templateId)), templateOf))
  return {
    insert: (business_id, { name, trip }, now) =>
      step(() => {
        if (ofBusiness(business_id).length >= maxTripTemplates) return Option.none()
        const template_id = TripTemplateId.make(tripTemplates.next())
        const row = { business_id, template_id, name, trip, created_at: now, updated_at: now }
        return Option.some(templateOf(tripTemplates.set(template_id, row)))
      }),
    list: (businessId, page) =>
      step(() =>
        pageOf(
          ofBusiness(businessId)
            .toSorted(ascending(({ name, template_id }) => [name, template_id]))
            .map(templateOf),
          page
        )
      ),
    find,
    lock: find,
    update: (businessId, templateId, changes, now) =>
      step(() => {
        const row = rowOf(tripTemplates, businessId, templateId)
        return row === undefined
          ? undefined
          : templateOf(tripTemplates.set(templateId, { ...row, ...changes, updated_at: now }))
      }).pipe(Effect.flatMap(Effect.fromNullishOr), Effect.orDie),
    remove: (businessId, templateId) =>
      step(() => {
        if (rowOf(tripTemplates, businessId, templateId)) tripTemplates.remove(templateId)
      })
  }
})
