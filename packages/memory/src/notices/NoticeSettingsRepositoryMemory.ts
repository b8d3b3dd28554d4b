import {
  type BusinessId,
  NoticeSettingsRepository,
  remindsCustomers,
  tellsCustomers,
  wants
} from "@livery/domain"
import { Option } from "effect"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(NoticeSettingsRepository, ({ noticePreferences, noticeSettings, step }) => {
  const rowOf = (businessId: BusinessId) =>
    noticeSettings.get(businessId) ?? {
      settings: null,
      tells_customers: false,
      reminds: false,
      gateway: null
    }
  const find = (businessId: BusinessId) => step(() => Option.fromNullishOr(rowOf(businessId).settings))
  return {
    find,
    lock: find,
    put: (businessId, settings) =>
      step(() => {
        const wanted = noticePreferences.where(({ business_id }) => business_id === businessId)
        noticeSettings.set(businessId, {
          ...rowOf(businessId),
          settings,
          tells_customers: tellsCustomers(settings) || wanted.some((one) => wants(one)),
          reminds: remindsCustomers(settings) || wanted.some((one) => wants(one, "reminder"))
        })
      }),
    gateway: (businessId) => step(() => Option.fromNullishOr(rowOf(businessId).gateway)),
    putGateway: (businessId, gateway) =>
      step(() => void noticeSettings.set(businessId, { ...rowOf(businessId), gateway })),
    preferences: (businessId, customerId) =>
      step(() => {
        const row = noticePreferences.get(customerId)
        return row?.business_id === businessId
          ? Option.some({ kinds: row.kinds, channels: row.channels })
          : Option.none()
      }),
    putPreferences: (business_id, customerId, preferences) =>
      step(() => {
        noticePreferences.set(customerId, { ...preferences, business_id })
        const row = rowOf(business_id)
        noticeSettings.set(business_id, {
          ...row,
          tells_customers: row.tells_customers || wants(preferences),
          reminds: row.reminds || wants(preferences, "reminder")
        })
      })
  }
})
