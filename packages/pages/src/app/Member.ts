/** Who works in the office, for which business, and what that person may do there. */
import type { Business, User } from "@livery/client"
import { signal } from "@preact/signals"
import { Failure, failureOf } from "../api/Failure.ts"
import { actingBusiness } from "../api/Person.ts"
import { actFor, api } from "./Api.ts"

/** The rights of a member, by area. */
type Rights = Awaited<ReturnType<typeof api.business.ping>>["rights"]

/** An area of the API. */
export type Area = keyof Rights

type CallerRole = Awaited<ReturnType<typeof api.business.ping>>["role"]

/** The signed-in person, and the business; a super-admin may have none. */
export interface Member {
  readonly user: User
  readonly business: Business | undefined
  readonly role: CallerRole | undefined
  readonly rights: Partial<Rights>
}

export const member = signal<Member | undefined>(undefined)

/** Why the office cannot open. */
export const refusal = signal<Failure | undefined>(undefined)

/** The business that the person acts for, and what the person may do there; a failure if there is none. */
const readBusiness = async (): Promise<Omit<Member, "user"> | Failure> => {
  try {
    const [{ rights, role }, business] = await Promise.all([api.business.ping(), api.business.read()])
    return { business, role, rights }
  } catch (error) {
    return failureOf(error)
  }
}

/** Reads who the person is, and for which business. */
export const loadMember = async (): Promise<void> => {
  refusal.value = undefined
  actFor(actingBusiness())
  try {
    const [user, acting] = await Promise.all([api.me.read(), readBusiness()])
    const isPlatform = acting instanceof Failure && user.account_type === "S" && !acting.isPassing
    if (isPlatform) member.value = { user, business: undefined, role: undefined, rights: {} }
    else if (acting instanceof Failure) refusal.value = acting
    else member.value = { user, ...acting }
  } catch (error) {
    refusal.value = failureOf(error)
  }
}

/** Whether the person may read the records of an area. */
export const mayRead = (area: Area): boolean => (member.value?.rights[area] ?? "none") !== "none"

/** Whether the person may change the records of an area. */
export const mayWrite = (area: Area): boolean => member.value?.rights[area] === "write"

/** Whether the person administers the platform. */
export const isSuperAdmin = (): boolean => member.value?.user.account_type === "S"
