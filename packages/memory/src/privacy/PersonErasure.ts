/** The last step of an erasure in memory: erases the person's own records and their credentials. */
import {
  type BusinessId,
  type CustomerId,
  type DriverId,
  erasedCustomer,
  erasedDriver,
  erasedUser,
  hasMention,
  mentions,
  type Person,
  type UserId
} from "@livery/domain"
import type { DateTime } from "effect"
import { pair, type Store } from "../store/Store.ts"

type Tables = Store["Service"]

/** Removes the sessions of these users. */
export const endSessions = ({ sessions }: Tables, userIds: ReadonlyArray<UserId>): void => {
  for (const { session_id } of sessions.where(({ user_id }) => userIds.includes(user_id)))
    sessions.remove(session_id)
}

/** Erases a customer, and retains the name for the invoices. Returns the number of these invoices. */
const eraseCustomer = (
  { customers, invoices, retained }: Tables,
  customerId: CustomerId,
  now: DateTime.Utc
): number => {
  const customer = customers.get(customerId)
  const count = invoices.where(({ customer_id }) => customer_id === customerId).length
  const key = pair("customer", customerId)
  if (customer !== undefined && count > 0 && retained.get(key) === undefined) {
    const { address, business_id, company, country, name, vat_number } = customer
    retained.set(key, { business_id, party: { name, company, address, country, vat_number } })
  }
  customers.change(customerId, { ...erasedCustomer, updated_at: now })
  return count
}

/** Erases a driver, with the absences and the invitations. */
const eraseDriver = (
  { absences, drivers, invitations }: Tables,
  driverId: DriverId,
  now: DateTime.Utc
): void => {
  drivers.change(driverId, { ...erasedDriver, former_user_id: null, updated_at: now })
  for (const { absence_id } of absences.where(({ driver_id }) => driver_id === driverId))
    absences.remove(absence_id)
  for (const row of invitations.where((invitation) => invitation.driverId === driverId))
    invitations.remove(row.codeHash)
}

/** Erases the accounts of users, with all of their credentials and memberships. */
const eraseUsers = (tables: Tables, userIds: ReadonlyArray<UserId>, now: DateTime.Utc): void => {
  const { codes, devices, drivers, identities, members, preferences, users, views } = tables
  const isErased = (id: UserId | null) => id !== null && userIds.includes(id)
  endSessions(tables, userIds)
  for (const { user_id, view_id } of views.where()) if (isErased(user_id)) views.remove(view_id)
  for (const id of userIds) preferences.remove(id)
  for (const row of devices.where(({ user_id }) => isErased(user_id))) devices.remove(row.device_token)
  for (const { issuer, subject } of identities.where(({ userId }) => isErased(userId)))
    identities.remove(pair(issuer, subject))
  for (const row of codes.where(({ userId }) => isErased(userId))) codes.remove(row.code_id)
  for (const row of members.where(({ user_id }) => isErased(user_id)))
    members.remove(pair(row.business_id, row.user_id))
  for (const row of drivers.where(({ user_id }) => isErased(user_id)))
    drivers.change(row.driver_id, { user_id: null })
  for (const id of userIds)
    users.change(id, {
      ...erasedUser,
      email: `erased-${id}@erased.invalid`,
      passwordHash: "!",
      email_verified: false,
      updated_at: now
    })
}

/** Removes the invitations to the person as a member, of the business or, without one, of all businesses. */
const removeMemberInvitations = (
  { memberInvitations }: Tables,
  emails: ReadonlyArray<string>,
  businessId: BusinessId | null
): void => {
  for (const row of memberInvitations.where(({ email }) => emails.includes(email)))
    if (businessId === null || row.business_id === businessId) memberInvitations.remove(row.codeHash)
}

/** Removes the marks of trips that name the person as they were before a change, until their people are told. */
const removeMarks = ({ noticeMarks }: Tables, person: Person): void => {
  const { business_id, customer_ids, driver_ids } = person
  for (const { before, trip_id } of noticeMarks.where((mark) => mark.business_id === business_id))
    if (
      before !== null &&
      ((before.customer_id !== null && customer_ids.includes(before.customer_id)) ||
        before.drivers.some(({ driver_id }) => driver_ids.includes(driver_id)) ||
        hasMention(before, (text) => mentions(text, person)))
    )
      noticeMarks.remove(trip_id)
}

/** Builds `PersonalData.finish`. */
export const finishErasure =
  (tables: Tables) =>
  (person: Person, now: DateTime.Utc): number => {
    const { business_id, customer_ids, driver_ids, emails, user_ids } = person
    const { erased } = tables
    let retainedInvoices = 0
    if (business_id !== null) {
      for (const id of customer_ids) retainedInvoices += eraseCustomer(tables, id, now)
      for (const id of driver_ids) eraseDriver(tables, id, now)
      removeMarks(tables, person)
      const references = [
        ...customer_ids.map((id) => ({ kind: "customer" as const, id })),
        ...driver_ids.map((id) => ({ kind: "driver" as const, id }))
      ]
      for (const reference of references)
        erased.set(JSON.stringify([business_id, reference.kind, reference.id]), { business_id, reference })
    }
    removeMemberInvitations(tables, emails, business_id)
    eraseUsers(tables, user_ids, now)
    return retainedInvoices
  }
