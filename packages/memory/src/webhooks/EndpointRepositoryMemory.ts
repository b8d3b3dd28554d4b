import {
  type BusinessId,
  type Endpoint,
  EndpointId,
  EndpointRepository,
  maxEndpointsPerBusiness,
  retiredSecretHours,
  maxRetiredSecrets,
  tooManyEndpoints
} from "@livery/domain"
import { DateTime, Effect, Option } from "effect"
import { ascending, pageOf } from "../store/Pages.ts"
import type { EndpointRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const endpointOf = (row: EndpointRow): Endpoint => {
  const { business_id, created_at, endpoint_id, events, status, updated_at, url } = row
  return { endpoint_id, business_id, url, events, status, created_at, updated_at }
}

export const layer = inMemory(EndpointRepository, ({ endpoints, step }) => {
  const ofBusiness = (businessId: BusinessId) =>
    endpoints.where(({ business_id, isDeleted }) => business_id === businessId && !isDeleted)
  const rowOf = (businessId: BusinessId, endpointId: EndpointId) =>
    ofBusiness(businessId).find(({ endpoint_id }) => endpoint_id === endpointId)
  const find = (businessId: BusinessId, endpointId: EndpointId) =>
    step(() => Option.map(Option.fromUndefinedOr(rowOf(businessId, endpointId)), endpointOf))
  const stepAt = <A>(body: (now: DateTime.Utc) => A) =>
    Effect.flatMap(DateTime.now, (now) => step(() => body(now)))

  return {
    insert: (business_id, { events, sealedSecret, url }) =>
      Effect.flatMap(
        stepAt((now) => {
          if (ofBusiness(business_id).length >= maxEndpointsPerBusiness) return undefined
          const endpoint_id = EndpointId.make(endpoints.next())
          return endpoints.set(endpoint_id, {
            endpoint_id,
            business_id,
            url,
            events,
            status: "enabled",
            created_at: now,
            updated_at: now,
            sealedSecret,
            retiredSecrets: [],
            isDeleted: false
          })
        }),
        (row) => (row === undefined ? Effect.fail(tooManyEndpoints()) : Effect.succeed(endpointOf(row)))
      ),
    list: (businessId, page) =>
      step(() =>
        pageOf(
          ofBusiness(businessId)
            .toSorted(ascending(({ endpoint_id }) => [endpoint_id]))
            .map(endpointOf),
          page
        )
      ),
    find,
    lock: find,
    update: (businessId, endpointId, { events, status, url }) =>
      Effect.flatMap(
        stepAt((now) =>
          rowOf(businessId, endpointId) === undefined
            ? undefined
            : endpoints.change(endpointId, { events, status, url, updated_at: now })
        ),
        (row) => Effect.orDie(Effect.fromNullishOr(row && endpointOf(row)))
      ),
    replaceSecret: (businessId, endpointId, sealedSecret) =>
      stepAt((now) => {
        const seconds = DateTime.toEpochMillis(now) / 1000
        const row = rowOf(businessId, endpointId)
        const retired = row?.retiredSecrets.filter(({ until }) => until > seconds) ?? []
        if (row === undefined || retired.length >= maxRetiredSecrets) return Option.none()
        const replaced = { sealed: row.sealedSecret, until: seconds + retiredSecretHours * 3600 }
        return Option.map(
          Option.fromUndefinedOr(
            endpoints.change(endpointId, {
              sealedSecret,
              retiredSecrets: [replaced, ...retired],
              updated_at: now
            })
          ),
          endpointOf
        )
      }),
    remove: (businessId, endpointId) =>
      stepAt((now) => {
        if (rowOf(businessId, endpointId) === undefined) return
        endpoints.change(endpointId, {
          status: "disabled",
          sealedSecret: "",
          retiredSecrets: [],
          isDeleted: true,
          updated_at: now
        })
      })
  }
})
