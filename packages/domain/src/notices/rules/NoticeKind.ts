/** The kinds of notices, and the persons that they are for. */
import { Schema } from "effect"

/**
 * The kinds of notices. `driver_declined` is for the office. The others that begin with `driver_`, except for `driver_assigned`,
 * are for drivers; all others are for passengers and bookers.
 */
export const NoticeKind = Schema.Literals([
  "booked",
  "changed",
  "cancelled",
  "reminder",
  "driver_assigned",
  "on_the_way",
  "arrived",
  "done",
  "driver_new",
  "driver_changed",
  "driver_cancelled",
  "driver_message",
  "driver_declined"
])
export type NoticeKind = typeof NoticeKind.Type

/** The kinds that a customer can switch. */
export const CustomerNoticeKind = Schema.Literals([
  "booked",
  "changed",
  "cancelled",
  "reminder",
  "driver_assigned",
  "on_the_way",
  "arrived",
  "done"
])
export type CustomerNoticeKind = typeof CustomerNoticeKind.Type

const ofCustomers: ReadonlySet<string> = new Set(CustomerNoticeKind.literals)

/** Whether the kind is for passengers and bookers. */
export const isForCustomers = (kind: NoticeKind): kind is CustomerNoticeKind => ofCustomers.has(kind)

/** Who is told: a passenger (the customer of the trip or another passenger), the booker, a driver, or the office. */
export const NoticeParty = Schema.Literals(["passenger", "booker", "driver", "office"])
export type NoticeParty = typeof NoticeParty.Type
