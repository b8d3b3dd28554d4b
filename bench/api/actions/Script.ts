/** The requests to the routes beyond the lists, and how one is sent. */
import { billingSteps } from "./BillingSteps.ts"
import { peopleSteps } from "./PeopleSteps.ts"
import { salesSteps } from "./SalesSteps.ts"
import type { Caller, Known, Step } from "./Step.ts"
import { fleetSteps, newRecords, tripSteps } from "./TripSteps.ts"

/** All steps, in order: later ones use the records of earlier ones. */
export const script: ReadonlyArray<Step> = [
  ...newRecords,
  ...tripSteps,
  ...salesSteps,
  ...billingSteps,
  ...fleetSteps,
  ...peopleSteps
]

/** The headers of each caller. */
export type Callers = Readonly<Record<Caller, Readonly<Record<string, string>>>>

/** The method and the path of a step, with the known values. */
const requestOf = ({ name }: Step, known: Known) => {
  const [method = "", path = ""] = (name.split(", ")[0] ?? "").split(" ")
  const filled = path.replaceAll(/\{(\w+)\}/gu, (_, key: string) => {
    const value = known[key]
    if (typeof value !== "string" && typeof value !== "number")
      throw new Error(`${name}: ${key} is not known`)
    return String(value)
  })
  return { method, path: filled }
}

const valueAt = (data: unknown, path: string) =>
  path.split(".").reduce<unknown>((within, key) => (within as Known | undefined)?.[key], data)

/** Sends the request of a step. Returns what is known from then on; fails unless the response has one of the step's statuses. */
export const perform = async (api: string, callers: Callers, step: Step, known: Known): Promise<Known> => {
  const { method, path } = requestOf(step, known)
  const body = step.body?.(known)
  const isForm = body instanceof FormData
  const response = await fetch(`${api}${path}`, {
    method,
    headers: {
      ...callers[step.by],
      ...step.headers?.(known),
      ...(body === undefined || isForm ? {} : { "content-type": "application/json" })
    },
    ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) })
  })
  const text = await response.text()
  if (!step.statuses.includes(response.status))
    throw new Error(`${step.name}: ${response.status} ${text.slice(0, 2000)}`)
  if (Object.keys(step.keep).length === 0) return known
  const { data } = JSON.parse(text) as { readonly data: unknown }
  const kept = Object.entries(step.keep).map(([name, at]) => [name, valueAt(data, at)])
  return { ...known, ...Object.fromEntries(kept) }
}
