/** The roles of a business's members, and what each may do (docs/api/staff.md). */
import { Schema } from "effect"
import { ActingBusiness } from "./Business.ts"

/** The roles of members. */
export const Role = Schema.Literals(["owner", "dispatcher", "accountant", "viewer"])
export type Role = typeof Role.Type

/** A business that a user may act for, and the user's role in it. */
export const Membership = Schema.Struct({ ...ActingBusiness.fields, role: Role })
export type Membership = typeof Membership.Type

/** The right of a caller to the records of an area. `write` includes `read`. */
const Right = Schema.Literals(["none", "read", "write"])
type Right = typeof Right.Type

/** The callers whose rights differ: a member by role, or an API key of the business. */
export const CallerRole = Schema.Literals([...Role.literals, "api_key"])
export type CallerRole = typeof CallerRole.Type

/**
 * The access table: the rights of each caller in each area of the API. Every route that acts for a business belongs to
 * one area.
 *
 * - `business`: the acting business itself, and the check of a credential.
 * - `operations`: trips, dispatch, drivers, cars, absences, tracking.
 * - `customers`; `sales`: quotes, products, bookings; `tariffs`: prices; `pay`: what drivers are paid; `billing`:
 *   invoices and payments.
 * - `files`: uploads; `settings`: the profile; `webhooks`: endpoints with their secrets, deliveries, events.
 * - `privacy`: erasing persons. `api_keys`, `members`: credentials and staff.
 */
const rights = {
  business: { owner: "write", api_key: "write", dispatcher: "read", accountant: "read", viewer: "read" },
  operations: { owner: "write", api_key: "write", dispatcher: "write", accountant: "read", viewer: "read" },
  customers: { owner: "write", api_key: "write", dispatcher: "write", accountant: "write", viewer: "read" },
  sales: { owner: "write", api_key: "write", dispatcher: "write", accountant: "write", viewer: "read" },
  tariffs: { owner: "write", api_key: "write", dispatcher: "read", accountant: "write", viewer: "read" },
  pay: { owner: "write", api_key: "write", dispatcher: "none", accountant: "write", viewer: "none" },
  billing: { owner: "write", api_key: "write", dispatcher: "read", accountant: "write", viewer: "read" },
  files: { owner: "write", api_key: "write", dispatcher: "write", accountant: "write", viewer: "read" },
  settings: { owner: "write", api_key: "write", dispatcher: "read", accountant: "read", viewer: "read" },
  webhooks: { owner: "write", api_key: "write", dispatcher: "read", accountant: "read", viewer: "read" },
  privacy: { owner: "write", api_key: "write", dispatcher: "none", accountant: "none", viewer: "none" },
  api_keys: { owner: "write", api_key: "none", dispatcher: "none", accountant: "read", viewer: "none" },
  members: { owner: "write", api_key: "none", dispatcher: "none", accountant: "read", viewer: "none" }
} as const satisfies Readonly<Record<string, Readonly<Record<CallerRole, Right>>>>

/** An area of the API. */
export type Area = keyof typeof rights

const ofEachArea = <A>(value: (area: Area) => A) =>
  Object.fromEntries((Object.keys(rights) as Array<Area>).map((area) => [area, value(area)])) as Record<
    Area,
    A
  >

/** The rights of one caller in every area. */
export const Rights = Schema.Struct(ofEachArea(() => Right))
export type Rights = typeof Rights.Type

/** The rights of a caller, by area. */
export const rightsOf = (caller: CallerRole): Rights => ofEachArea((area): Right => rights[area][caller])

/** A kind of access to an area, which a request needs. */
export interface Permission {
  readonly area: Area
  readonly action: "read" | "write"
}

/** Whether a member with that role, or an API key, may do this. */
export const mayDo = (caller: CallerRole, { action, area }: Permission): boolean => {
  const right: Right = rights[area][caller]
  return right === "write" || right === action
}
