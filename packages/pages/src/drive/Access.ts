/** The ways to the API: the link of one job, or the account of a driver. */
import { send } from "../api/Api.ts"
import { Failure } from "../api/Failure.ts"
import { actingBusiness, person } from "../api/Person.ts"
import type { Fix, Waiting } from "./Store.ts"
import type { Job, Report } from "./Job.ts"

/** The signed-in driver in the business, as the owner of what is to be sent. */
export const account = (): string => `account:${actingBusiness() ?? ""}:${person()}`

/** Whether an owner is an account, not a link. */
export const isOfAccount = (of: string): boolean => of.startsWith("account:")

/** Whether an owner may send: a link always, an account while its person is signed in. */
export const isPresent = (of: string): boolean => !isOfAccount(of) || of.split(":")[2] === person()

/** A request of an account, for its own business. */
const sendAs = async <A>(of: string, path: string, init?: ReturnType<typeof json>): Promise<A> => {
  if (!isPresent(of)) throw new Failure(401, "unauthorized", "")
  const { sendSignedIn } = await import("../api/Session.ts")
  return sendSignedIn<A>(path, init, Number(of.split(":")[1]) || undefined)
}

const json = (method: string, body: unknown, key?: string) => ({
  method,
  headers: { "Content-Type": "application/json", ...(key === undefined ? {} : { "Idempotency-Key": key }) },
  body: JSON.stringify(body)
})

const linkPath = (what: string, token: string) => `/driver/${what}?token=${encodeURIComponent(token)}`

/** Reads a job: of the link with this token, or of the account. */
export const readJob = (of: string, trip: number): Promise<Job> =>
  isOfAccount(of) ? sendAs<Job>(of, `/me/driver/trips/${trip}`) : send<Job>(linkPath("trip", of))

/** Reads the jobs of an account. */
export const readJobs = (of: string): Promise<ReadonlyArray<Job>> =>
  sendAs(of, "/me/driver/trips?filter=upcoming&per_page=100")

/** Reads the business: its name, its look, and the phone number of its office. */
export const readOffice = <A>(of: string): Promise<A> =>
  isOfAccount(of) ? sendAs<A>(of, "/me/driver/office") : send<A>(linkPath("office", of))

/** Sends a report, and resolves to the job after it. */
export const sendReport = ({
  body,
  key,
  of,
  trip
}: Waiting & { readonly body: Report; trip: number }): Promise<Job> =>
  isOfAccount(of)
    ? sendAs<Job>(of, `/me/driver/trips/${trip}`, json("PATCH", body, key))
    : send<Job>(linkPath("status", of), json("POST", body, key))

/** Sends positions. The server stores a repeated one once. */
export const sendPositions = (of: string, locations: ReadonlyArray<Fix>): Promise<unknown> => {
  const request = json("POST", { locations })
  return isOfAccount(of)
    ? sendAs(of, "/me/driver/locations", request)
    : send(linkPath("locations", of), request)
}
