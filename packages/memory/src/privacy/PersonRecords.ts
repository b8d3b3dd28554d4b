/** The records of a person in memory. */
import {
  type BusinessId,
  type CustomerId,
  digitsOf,
  type DriverId,
  erasedText,
  hasMention,
  isOpenTrip,
  mentions,
  type Person,
  type PersonalData,
  type UserId
} from "@livery/domain"
import { type Context, type DateTime, Effect, Option } from "effect"
import type { DriverRow } from "../store/Rows.ts"
import { pair, type Store } from "../store/Store.ts"

type Methods = Context.Service.Shape<typeof PersonalData>

const texts = (values: ReadonlyArray<string | null | undefined>): ReadonlyArray<string> =>
  [
    ...new Set(values.filter((value) => typeof value === "string" && value !== erasedText))
  ] as ReadonlyArray<string>

/** Whether a row with the customer's fields is the person's. */
export const isOfPerson =
  ({ business_id: businessId, customer_ids, emails, phones }: Person) =>
  (row: { readonly business_id: BusinessId; readonly customer_id: CustomerId | null }): boolean =>
    row.business_id === businessId &&
    ((row.customer_id !== null && customer_ids.includes(row.customer_id)) ||
      hasMention(row, (text) => mentions(text, { emails, phones })))

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
  | "begin"
  | "unfinished"
  | "openWork"
  | "size"
  | "fileNames"
  | "forgetUploads"
  | "finish"
> => {
  const { bookings, businesses, cars, customers, drivers, erased, invoices, members, quotes } = store
  const { erasures, retained, sessions, step, trips, uploads, users } = store

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

  const endSessions = (userIds: ReadonlyArray<UserId>) => {
    for (const { session_id } of sessions.where(({ user_id }) => userIds.includes(user_id)))
      sessions.remove(session_id)
  }

  const retire = ({ customer_ids, driver_ids, user_ids }: Person, now: DateTime.Utc) => {
    for (const id of customer_ids) customers.change(id, { deleted_at: customers.get(id)?.deleted_at ?? now })
    for (const id of driver_ids)
      drivers.change(id, {
        deleted_at: drivers.get(id)?.deleted_at ?? now,
        active: false,
        user_id: null,
        former_user_id: formerAccount(drivers.get(id))
      })
    endSessions(user_ids)
  }

  const openWork = (person: Person, most: number) => {
    const isOwn = isOfPerson(person)
    const none = { trip_ids: [], quote_ids: [], booking_ids: [], invoice_ids: [] }
    if (person.business_id === null || person.driver_ids.length > 0) return none
    const own = trips.where((trip) => trip.deleted_at === undefined && isOwn(trip))
    const invoiced = new Set(own.map(({ invoice_id }) => invoice_id))
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

  const fileNames = (person: Person) => {
    const isOwn = isOfPerson(person)
    const rows = [
      ...trips.where(isOwn),
      ...quotes.where(isOwn),
      ...bookings.where(isOwn),
      ...customers.where(({ customer_id }) => person.customer_ids.includes(customer_id)),
      ...drivers.where(({ driver_id }) => person.driver_ids.includes(driver_id))
    ]
    const named = JSON.stringify(rows).match(/[0-9a-f]{40}_[1-9][0-9]{0,15}/gu) ?? []
    const others = JSON.stringify([
      ...cars.where().map(({ photo_url }) => photo_url),
      ...businesses.where().map(({ logo_url }) => logo_url),
      ...drivers
        .where(({ driver_id }) => !person.driver_ids.includes(driver_id))
        .map(({ photo_url }) => photo_url)
    ])
    return [...new Set(named)].filter(
      (name) =>
        !others.includes(name) &&
        uploads.find(({ business_id, file_name }) => business_id === person.business_id && file_name === name)
    )
  }

  const finish = (person: Person, subject: string, now: DateTime.Utc) => {
    const { business_id, customer_ids, driver_ids, emails, user_ids } = person
    let count = 0
    for (const id of business_id === null ? [] : customer_ids) {
      const customer = customers.get(id)
      const own = invoices.where(({ customer_id }) => customer_id === id).length
      count += own
      if (customer !== undefined && own > 0 && retained.get(pair("customer", id)) === undefined) {
        const { address, company, country, name, vat_number } = customer
        retained.set(pair("customer", id), {
          business_id: customer.business_id,
          party: { name, company, address, country, vat_number }
        })
      }
      const none = { email: null, phone: null, company: null, address: null, country: null, vat_number: null }
      customers.change(id, { name: erasedText, ...none, notes: null, updated_at: now })
    }
    for (const id of business_id === null ? [] : driver_ids) {
      const none = {
        email: null,
        phone: null,
        license_number: null,
        license_expires_on: null,
        photo_url: null,
        former_user_id: null
      }
      drivers.change(id, { name: erasedText, ...none, updated_at: now })
      for (const { absence_id } of store.absences.where(({ driver_id }) => driver_id === id))
        store.absences.remove(absence_id)
      for (const { codeHash } of store.invitations.where(({ driverId }) => driverId === id))
        store.invitations.remove(codeHash)
    }
    if (business_id !== null) erasures.remove(pair(business_id, subject))
    if (business_id !== null)
      for (const [kind, ids] of [
        ["customer", customer_ids],
        ["driver", driver_ids]
      ] as const)
        for (const id of ids)
          erased.set(JSON.stringify([business_id, kind, id]), { business_id, reference: { kind, id } })
    for (const row of store.memberInvitations.where(({ email }) => emails.includes(email)))
      if (business_id === null || row.business_id === business_id)
        store.memberInvitations.remove(row.codeHash)
    const isUser = (id: UserId | null) => id !== null && user_ids.includes(id)
    endSessions(user_ids)
    for (const row of store.devices.where(({ user_id }) => isUser(user_id)))
      store.devices.remove(row.device_token)
    for (const { issuer, subject } of store.identities.where(({ userId }) => isUser(userId)))
      store.identities.remove(pair(issuer, subject))
    for (const row of store.codes.where(({ userId }) => isUser(userId))) store.codes.remove(row.code_id)
    for (const row of members.where(({ user_id }) => isUser(user_id)))
      members.remove(pair(row.business_id, row.user_id))
    for (const row of drivers.where(({ user_id }) => isUser(user_id)))
      drivers.change(row.driver_id, { user_id: null })
    for (const id of user_ids)
      users.change(id, {
        name: erasedText,
        email: `erased-${id}@erased.invalid`,
        mobile_phone: null,
        passwordHash: "!",
        updated_at: now
      })
    return count
  }

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
        const digits = contact.phone === null ? null : digitsOf(contact.phone)
        const found = customers.where(
          ({ business_id, email, phone }) =>
            business_id === businessId &&
            ((contact.email !== null && email === contact.email) ||
              (digits !== null && digitsOf(phone ?? "") === digits))
        )
        return {
          ...noPerson,
          business_id: businessId,
          customer_ids: found.map(({ customer_id }) => customer_id),
          names: texts(found.map(({ name }) => name)),
          emails: texts([contact.email, ...found.map(({ email }) => email)]),
          phones: digits === null ? [] : [digits]
        }
      }),
    retire: (person, now) => step(() => retire(person, now)),
    openWork: (person, most) => step(() => openWork(person, most)),
    size: () =>
      step(() => store.events.where().length + store.timeline.where().length + store.audit.where().length),
    fileNames: (person) => (person.business_id === null ? Effect.succeed([]) : step(() => fileNames(person))),
    forgetUploads: (businessId, names) =>
      step(() => {
        for (const { business_id, file_name, upload_id } of uploads.where())
          if (business_id === businessId && names.includes(file_name)) uploads.remove(upload_id)
      }),
    begin: (person, subject) =>
      step(() => {
        erasures.set(pair(person.business_id ?? 0, subject), person)
      }),
    unfinished: (businessId, subject) =>
      step(() => Option.fromUndefinedOr(erasures.get(pair(businessId, subject)))),
    finish: (person, subject, now) => step(() => finish(person, subject, now))
  }
}
