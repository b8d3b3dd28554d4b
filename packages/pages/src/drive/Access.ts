/** The ways to the API: the link of one job, or the account of a driver. */
import { send } from "../api/Api.ts"
import { sendSignedIn } from "../api/Session.ts"
import type { Fix, Waiting } from "./Store.ts"
import type { Job, Report } from "./Job.ts"

/** The account of the signed-in driver, as the owner of what is to be sent. */
export const account = "account"

const json = (method: string, body: unknown, key?: string) => ({
  method,
  headers: { "Content-Type": "application/json", ...(key === undefined ? {} : { "Idempotency-Key": key }) },
  body: JSON.stringify(body)
})

const linkPath = (what: string, token: string) => `/driver/${what}?token=${encodeURIComponent(token)}`

/** Reads a job: of the link with this token, or of the account. */
export const readJob = (of: string, trip: number): Promise<Job> =>
  of === account ? sendSignedIn<Job>(`/me/driver/trips/${trip}`) : send<Job>(linkPath("trip", of))

/** Reads the business: its name, its look, and the phone number of its office. */
export const readOffice = <A>(of: string): Promise<A> =>
  of === account ? sendSignedIn<A>("/me/driver/office") : send<A>(linkPath("office", of))

/** Sends a report, and resolves to the job after it. */
export const sendReport = ({
  body,
  key,
  of,
  trip
}: Waiting & { readonly body: Report; trip: number }): Promise<Job> =>
  of === account
    ? sendSignedIn<Job>(`/me/driver/trips/${trip}`, json("PATCH", body, key))
    : send<Job>(linkPath("status", of), json("POST", body, key))

/** Sends positions. The server stores a repeated one once. */
export const sendPositions = (of: string, locations: ReadonlyArray<Fix>): Promise<unknown> => {
  const request = json("POST", { locations })
  return of === account
    ? sendSignedIn("/me/driver/locations", request)
    : send(linkPath("locations", of), request)
}
