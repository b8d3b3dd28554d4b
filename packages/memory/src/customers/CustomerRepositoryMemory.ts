import {
  type BusinessId,
  Customer,
  CustomerId,
  CustomerInput,
  CustomerRepository,
  EmailExists,
  isFoundBy,
  searchWordsOf
} from "@livery/domain"
import { type DateTime, Effect, Option } from "effect"
import { only, rowOf } from "../store/Fields.ts"
import { ascending, pageOf } from "../store/Pages.ts"
import type { CustomerRow } from "../store/Rows.ts"
import { inMemory } from "../store/Store.ts"

const customerOf = (row: CustomerRow): Customer => only(Customer, row)

export const layer = inMemory(
  CustomerRepository,
  ({ bookings, customers, drivers, invoices, quotes, step, tariffs, trips }) => {
    const ofBusiness = (businessId: BusinessId) =>
      customers.where(({ business_id, deleted_at }) => business_id === businessId && deleted_at === undefined)
    const find = (businessId: BusinessId, customerId: CustomerId) =>
      step(() => Option.map(Option.fromUndefinedOr(rowOf(customers, businessId, customerId)), customerOf))
    const isTaken = (businessId: BusinessId, email: string | null, by?: CustomerId) =>
      email !== null && ofBusiness(businessId).some((one) => one.email === email && one.customer_id !== by)

    const stored = (business_id: BusinessId, input: CustomerInput, now: DateTime.Utc) => {
      if (isTaken(business_id, input.email)) return undefined
      const customer_id = CustomerId.make(customers.next())
      const stamps = { created_at: now, updated_at: now }
      return customers.set(customer_id, {
        ...only(CustomerInput, input),
        customer_id,
        business_id,
        ...stamps
      })
    }

    return {
      insertAll: (businessId, all, now) =>
        step(() =>
          all.flatMap((input) => {
            const row = stored(businessId, input, now)
            return row === undefined ? [] : [customerOf(row)]
          })
        ),
      insert: (business_id, input, now) =>
        step(() => stored(business_id, input, now)).pipe(
          Effect.filterOrFail(
            (row) => row !== undefined,
            () => new EmailExists()
          ),
          Effect.map(customerOf)
        ),
      list: (businessId, words, page) =>
        step(() => {
          const listed = ofBusiness(businessId)
            .filter((customer) => words === undefined || isFoundBy(searchWordsOf(customer), words))
            .toSorted(ascending(({ customer_id, name }) => [name, customer_id]))
          return pageOf(listed.map(customerOf), page)
        }),
      find,
      lock: find,
      lockForDelete: find,
      lockEmails: () => Effect.void,
      driversAmong: (businessId, driverIds) =>
        step(() => driverIds.filter((id) => rowOf(drivers, businessId, id) !== undefined)),
      hasTariff: (businessId, tariffId) => step(() => rowOf(tariffs, businessId, tariffId) !== undefined),
      update: (businessId, customerId, input, now) =>
        Effect.gen(function* () {
          const updated = yield* step(() => {
            if (isTaken(businessId, input.email, customerId)) return "taken"
            if (!rowOf(customers, businessId, customerId)) return undefined
            return customers.change(customerId, { ...only(CustomerInput, input), updated_at: now })
          })
          if (updated === "taken") return yield* new EmailExists()
          return customerOf(yield* Effect.orDie(Effect.fromNullishOr(updated)))
        }),
      remove: (businessId, customerId, now) =>
        step(() => {
          if (!rowOf(customers, businessId, customerId)) return
          const isReferredTo =
            trips.find(({ customer_id }) => customer_id === customerId) ??
            bookings.find(({ customer_id }) => customer_id === customerId) ??
            quotes.find(({ customer_id }) => customer_id === customerId) ??
            invoices.find(({ customer_id }) => customer_id === customerId)
          if (isReferredTo) customers.change(customerId, { deleted_at: now })
          else customers.remove(customerId)
        })
    }
  }
)
