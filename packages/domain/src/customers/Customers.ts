/** The use cases of customers (docs/api/customers.md). */
import { Context, DateTime, Effect, Equal, Layer } from "effect"
import { invoiceRecord } from "../billing/invoice/Invoice.ts"
import { InvoiceRepository } from "../billing/invoice/InvoiceRepository.ts"
import type { ActingBusiness } from "../business/Business.ts"
import { pageForReader } from "../business/CurrentRole.ts"
import { invalidField, orNotFound, refuseIssues } from "../kernel/Errors.ts"
import type { CustomerId } from "../kernel/Ids.ts"
import { mapPage, type PageRequest } from "../kernel/Page.ts"
import { type Precondition, unconditional } from "../kernel/Precondition.ts"
import { countryOfZone } from "../kernel/fields/PhoneNumber.ts"
import { searchedWords } from "../kernel/search/SearchWords.ts"
import { atomically, Transaction } from "../kernel/Transaction.ts"
import { makeDeletion, type DeletionTerms } from "../trips/trip/Deletion.ts"
import { Detaching } from "../trips/assignments/Detaching.ts"
import { tripRecord } from "../trips/trip/Trip.ts"
import { TripListRepository } from "../trips/lists/TripListRepository.ts"
import { TripUnitOfWork } from "../trips/changes/TripUnitOfWork.ts"
import { type CustomerChanges, type CustomerInput, customerRecord, type CustomerRecord } from "./Customer.ts"
import { CustomerRepository } from "./CustomerRepository.ts"
import type { CustomerFilter } from "./CustomerSearch.ts"
import { makeBulk } from "../kernel/Bulk.ts"
import { traced } from "../kernel/TracedFunction.ts"

/** `NotFound` if the customer is absent or another business's; `Conflict` if the precondition fails. */
export class Customers extends Context.Service<Customers>()("@livery/domain/Customers", {
  make: Effect.gen(function* () {
    const transaction = yield* Transaction
    const customers = yield* CustomerRepository
    const tripList = yield* TripListRepository
    const invoiceList = yield* InvoiceRepository
    const detaching = yield* Detaching
    const unitOfWork = yield* TripUnitOfWork

    const requireCustomer = orNotFound("customer")

    const requireTariff = Effect.fnUntraced(function* (
      { business_id }: ActingBusiness,
      { tariff_id }: Pick<CustomerInput, "tariff_id">
    ) {
      if (tariff_id !== null && !(yield* customers.hasTariff(business_id, tariff_id)))
        return yield* invalidField("tariff_id", "not_found")
    })

    /** `InvalidInput` for drivers that the business does not have, and for those whom the customer both prefers and refuses. */
    const requireDrivers = Effect.fnUntraced(function* (
      { business_id }: ActingBusiness,
      sent: Partial<Pick<CustomerInput, "preferred_driver_ids" | "refused_driver_ids">>,
      {
        preferred_driver_ids,
        refused_driver_ids
      }: Pick<CustomerInput, "preferred_driver_ids" | "refused_driver_ids">
    ) {
      const ids = [...(sent.preferred_driver_ids ?? []), ...(sent.refused_driver_ids ?? [])]
      if (ids.length === 0) return
      const known = new Set(yield* customers.driversAmong(business_id, ids))
      const unknown = (field: "preferred_driver_ids" | "refused_driver_ids") =>
        (sent[field] ?? []).flatMap((id, index) =>
          known.has(id) ? [] : [{ field: `${field}.${index}`, issue: "not_found" as const }]
        )
      const both = refused_driver_ids.flatMap((id, index) =>
        preferred_driver_ids.includes(id) && known.has(id)
          ? [{ field: `refused_driver_ids.${index}`, issue: "invalid" as const }]
          : []
      )
      yield* refuseIssues([...unknown("preferred_driver_ids"), ...unknown("refused_driver_ids"), ...both])
    })

    const remove = makeDeletion(transaction, {
      resource: "customer",
      record: customerRecord,
      lockForDelete: ({ business_id }: ActingBusiness, customerId: CustomerId) =>
        customers.lockForDelete(business_id, customerId),
      openTrips: ({ business_id }, customerId) => detaching.openTripsOfCustomer(business_id, customerId),
      detach: detaching.detachCustomer,
      remove: Effect.fnUntraced(function* ({ business_id }: ActingBusiness, customerId: CustomerId) {
        yield* customers.remove(business_id, customerId, yield* DateTime.now)
      })
    })

    /**
     * Adds a customer; `InvalidInput` for a tariff or a driver that the business does not have and for a driver who is both preferred and refused, `EmailExists` if the business has a customer with that email. Earlier trips that were booked
     * with that email and have no customer are linked to the new one.
     */
    const create = traced("Customers.create")(function* (acting: ActingBusiness, input: CustomerInput) {
      const { business_id } = acting
      const now = yield* DateTime.now
      return yield* atomically(transaction, function* () {
        yield* requireTariff(acting, input)
        yield* requireDrivers(acting, input, input)
        if (input.email !== null) yield* customers.lockEmails(business_id)
        const customer = yield* customers.insert(business_id, input, now)
        if (input.email !== null)
          yield* unitOfWork.linkTripsByEmail(acting, customer.customer_id, input.email)
        return customerRecord(customer)
      })
    })

    return {
      create,

      /** Makes up to 500 customers, each as `create` does; the result has one entry for each item, in order. */
      createMany: makeBulk(transaction, create),

      /** The business's customers by name, all or those that match a search. */
      list: traced("Customers.list")(function* (
        acting: ActingBusiness,
        { search = null }: CustomerFilter,
        page: PageRequest
      ) {
        const words =
          search === null ? undefined : searchedWords(search, { country: countryOfZone(acting.timezone) })
        return mapPage(yield* customers.list(acting.business_id, words, page), customerRecord)
      }),

      get: traced("Customers.get")(function* (acting: ActingBusiness, customerId: CustomerId) {
        return customerRecord(yield* requireCustomer(yield* customers.find(acting.business_id, customerId)))
      }),

      /** Changes the given fields; a new email has the same effects as in `create`. */
      update: traced("Customers.update")(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        changes: CustomerChanges,
        precondition: Precondition<CustomerRecord> = unconditional
      ) {
        const { business_id } = acting
        const now = yield* DateTime.now
        return yield* atomically(transaction, function* () {
          const current = yield* requireCustomer(yield* customers.lock(business_id, customerId))
          yield* precondition(customerRecord(current))
          const after = { ...current, ...changes }
          if (Equal.equals(after, current)) return customerRecord(current)
          if (after.tariff_id !== current.tariff_id) yield* requireTariff(acting, after)
          yield* requireDrivers(acting, changes, after)
          const email = after.email === current.email ? null : after.email
          if (email !== null) yield* customers.lockEmails(business_id)
          const customer = yield* customers.update(business_id, customerId, after, now)
          if (email !== null) yield* unitOfWork.linkTripsByEmail(acting, customerId, email)
          return customerRecord(customer)
        })
      }),

      /**
       * Deletes a customer. Ended trips and invoices still refer to the customer. Open trips lose the link, which
       * `force` has to confirm, and keep the name and the addresses.
       */
      remove: (acting: ActingBusiness, customerId: CustomerId, terms?: DeletionTerms<CustomerRecord>) =>
        Effect.withSpan(remove(acting, customerId, terms), "Customers.remove"),

      /** The customer's trips, the latest first. */
      trips: traced("Customers.trips")(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        page: PageRequest
      ) {
        const { business_id, timezone } = acting
        yield* requireCustomer(yield* customers.find(business_id, customerId))
        const { hasMore, items, total } = yield* tripList.page(
          business_id,
          { customerId, order: "latest" },
          page
        )
        const records = items.map((trip) => tripRecord(trip, timezone))
        return yield* pageForReader("operations", { hasMore, total, items: records })
      }),

      /** The customer's invoices, the newest first. */
      invoices: traced("Customers.invoices")(function* (
        acting: ActingBusiness,
        customerId: CustomerId,
        page: PageRequest
      ) {
        const { business_id, timezone } = acting
        yield* requireCustomer(yield* customers.find(business_id, customerId))
        const at = { now: yield* DateTime.now, timezone }
        const records = yield* invoiceList.ofCustomer(business_id, customerId, page)
        const items = records.items.map((invoice) => invoiceRecord(invoice, at))
        return yield* pageForReader("billing", { ...records, items })
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Customers, Customers.make).pipe(Layer.provide(TripUnitOfWork.layer))
}
