/** The records of a person in memory. */
import {
  type BusinessId,
  type CustomerId,
  type DriverId,
  erasedText,
  hasMention,
  isOpenTrip,
  isPhoneOf,
  mentions,
  type Person,
  type PersonalData,
  type UserId
} from "@livery/domain"
import { type Context, type DateTime, Effect, Option } from "effect"
import type { DriverRow } from "../store/Rows.ts"
import type { Store } from "../store/Store.ts"
import { endSessions, finishErasure } from "./PersonErasure.ts"

type Methods = Context.Service.Shape<typeof PersonalData>

/** The texts among these values, each once, without {@link erasedText}. */
const texts = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  [
    ...new Set(values.filter((value) => typeof value === "string" && value !== erasedText))
  ] as ReadonlyArray<string>

/** Whether a row with the customer's fields is the person's. */
export const isOfPerson =
  (person: Person) =>
  (row: { readonly business_id: BusinessId; readonly customer_id: CustomerId | null }): boolean =>
    row.business_id === person.business_id &&
    ((row.customer_id !== null && person.customer_ids.includes(row.customer_id)) ||
      hasMention(row, (text) => mentions(text, person)))

/** The account of a driver who may be deleted. */
const formerAccount = (row: DriverRow | undefined) => row?.user_id ?? row?.former_user_id ?? null

const noPerson: Omit<Person, "business_id" | "names" | "emails"> = {
  customer_ids: [],
  driver_ids: [],
  user_ids: [],
  phones: []
}

/** The methods of `PersonalData` for the records themselves. */
export const personRecords = (
  store: Store["Service"]
): Pick<
  Methods,
  | "ofCustomer"
  | "ofDriver"
  | "ofUser"
  | "ofContact"
  | "retire"
  | "openWork"
  | "size"
  | "views"
  | "removeViews"
  | "fileNames"
  | "forgetUploads"
  | "finish"
> => {
  const { bookings, businesses, cars, customers, drivers, invoices, members, quotes } = store
  const { products, step, trips, uploads, users } = store

  const customerRow = (businessId: BusinessId, id: CustomerId) =>
    customers.find(({ business_id, customer_id }) => business_id === businessId && customer_id === id)
  const driverRow = (businessId: BusinessId, id: DriverId) =>
    drivers.find(({ business_id, driver_id }) => business_id === businessId && driver_id === id)

  /** The account of a driver, if it is of type `D` and serves nothing else. */
  const ownAccount = (driverId: DriverId, userId: UserId | null) => {
    const user = userId === null ? undefined : users.get(userId)
    const isShared =
      members.find(({ user_id }) => user_id === userId) !== undefined ||
      drivers.find(({ driver_id, user_id }) => user_id === userId && driver_id !== driverId) !== undefined
    return user?.account_type === "D" && !isShared ? user : undefined
  }

  const retire = ({ business_id, customer_ids, driver_ids, user_ids }: Person, now: DateTime.Utc) => {
    for (const { import_id } of store.imports.where(
      (one) => one.business_id === business_id && one.finished_at !== null
    ))
      for (const { line } of store.importLines.where((one) => one.import_id === import_id))
        store.importLines.remove(`${import_id} ${line}`)
    for (const id of customer_ids) customers.change(id, { deleted_at: customers.get(id)?.deleted_at ?? now })
    for (const id of driver_ids)
      drivers.change(id, {
        deleted_at: drivers.get(id)?.deleted_at ?? now,
        active: false,
        user_id: null,
        former_user_id: formerAccount(drivers.get(id))
      })
    endSessions(store, user_ids)
  }

  const openWork = (person: Person, most: number) => {
    const isOwn = isOfPerson(person)
    const none = { trip_ids: [], quote_ids: [], booking_ids: [], invoice_ids: [] }
    if (person.business_id === null || person.driver_ids.length > 0) return none
    const own = trips.where((trip) => trip.deleted_at === undefined && isOwn(trip))
    const booked = bookings.where(isOwn)
    const invoiced = new Set([...own, ...booked].map(({ invoice_id }) => invoice_id))
    const isOpen = (status: string, open: ReadonlyArray<string>) => open.includes(status)
    return {
      trip_ids: own
        .filter(({ status }) => isOpenTrip(status))
        .map(({ trip_id }) => trip_id)
        .slice(0, most),
      quote_ids: quotes
        .where(
          (row) =>
            row.deleted_at === undefined && isOpen(row.status, ["draft", "sent", "accepted"]) && isOwn(row)
        )
        .map(({ quote_id }) => quote_id)
        .slice(0, most),
      booking_ids: bookings
        .where(
          (row) => row.deleted_at === undefined && isOpen(row.status, ["pending", "confirmed"]) && isOwn(row)
        )
        .map(({ booking_id }) => booking_id)
        .slice(0, most),
      invoice_ids: invoices
        .where(
          (row) =>
            row.business_id === person.business_id &&
            row.deleted_at === undefined &&
            isOpen(row.status, ["unpaid", "partial"]) &&
            ((row.customer_id !== null && person.customer_ids.includes(row.customer_id)) ||
              invoiced.has(row.invoice_id))
        )
        .map(({ invoice_id }) => invoice_id)
        .slice(0, most)
    }
  }

  const views = (businessId: BusinessId) => {
    const own = members.where(({ business_id }) => business_id === businessId)
    const userIds = new Set(own.map(({ user_id }) => user_id))
    return store.views.where(({ user_id }) => userIds.has(user_id))
  }

  const fileNames = (person: Person) => {
    const isOwn = isOfPerson(person)
    const rows = [
      ...trips.where(isOwn),
      ...quotes.where(isOwn),
      ...bookings.where(isOwn),
      ...customers.where(({ customer_id }) => person.customer_ids.includes(customer_id)),
      ...drivers.where(({ driver_id }) => person.driver_ids.includes(driver_id))
    ]
    const named = JSON.stringify(rows).match(/[0-9a-f]{40}_[0-9a-z]{1,16}/gu) ?? []
    const isOther = (row: Parameters<typeof isOwn>[0]) =>
      row.business_id === person.business_id && !isOwn(row)
    const others = JSON.stringify([
      ...trips.where(isOther),
      ...quotes.where(isOther),
      ...bookings.where(isOther),
      ...customers.where(({ customer_id }) => !person.customer_ids.includes(customer_id)),
      ...invoices
        .where(({ customer_id }) => customer_id !== null && !person.customer_ids.includes(customer_id))
        .map(({ lines, notes }) => [lines, notes]),
      ...products.where().map(({ description }) => description),
      ...cars.where().map(({ photo_url }) => photo_url),
      ...businesses.where().map(({ logo_url }) => logo_url),
      ...drivers.where(({ driver_id }) => !person.driver_ids.includes(driver_id))
    ])
    return [...new Set(named)].filter(
      (name) =>
        !others.includes(name) &&
        uploads.find(({ business_id, file_name }) => business_id === person.business_id && file_name === name)
    )
  }

  const finish = finishErasure(store)

  return {
    ofCustomer: (businessId, id) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(customerRow(businessId, id)), ({ email, name }) => ({
          ...noPerson,
          business_id: businessId,
          customer_ids: [id],
          names: texts([name]),
          emails: texts([email])
        }))
      ),
    ofDriver: (businessId, id) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(driverRow(businessId, id)), (row) => {
          const { email, name } = row
          const user_id = formerAccount(row)
          const user = ownAccount(id, user_id)
          return {
            ...noPerson,
            business_id: businessId,
            driver_ids: [id],
            user_ids: user === undefined || user_id === null ? [] : [user_id],
            names: texts([name, user?.name]),
            emails: texts([email, user?.email])
          }
        })
      ),
    ofUser: (id) =>
      step(() =>
        Option.map(Option.fromUndefinedOr(users.get(id)), ({ email, name }) => ({
          ...noPerson,
          business_id: null,
          user_ids: [id],
          names: texts([name]),
          emails: name === erasedText ? [] : texts([email])
        }))
      ),
    ofContact: (businessId, contact) =>
      step(() => {
        const { country = null, phone: canonical } = contact
        const phones = canonical === null ? [] : [canonical]
        const own = customers.where(
          ({ business_id, email, phone }) =>
            business_id === businessId &&
            ((contact.email !== null && email === contact.email) ||
              (phone !== null && isPhoneOf(phone, { country, phones })))
        )
        return {
          ...noPerson,
          business_id: businessId,
          customer_ids: own.map(({ customer_id }) => customer_id),
          names: texts(own.map(({ name }) => name)),
          emails: texts([contact.email, ...own.map(({ email }) => email)]),
          phones,
          country
        }
      }),
    retire: (person, now) => step(() => retire(person, now)),
    openWork: (person, most) => step(() => openWork(person, most)),
    size: () =>
      step(() => store.events.where().length + store.timeline.where().length + store.audit.where().length),
    fileNames: (person) => (person.business_id === null ? Effect.succeed([]) : step(() => fileNames(person))),
    views: (businessId) => step(() => views(businessId)),
    removeViews: (ids) =>
      step(() => {
        for (const id of ids) store.views.remove(id)
      }),
    forgetUploads: (businessId, names) =>
      step(() => {
        for (const { business_id, file_name, upload_id } of uploads.where())
          if (business_id === businessId && names.includes(file_name)) uploads.remove(upload_id)
      }),
    finish: (person, now) => step(() => finish(person, now))
  }
}
