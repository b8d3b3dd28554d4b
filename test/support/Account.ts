import { livery } from "@livery/client"
import { randomBytes } from "node:crypto"
import { bearer, type Client, clientOf } from "./Client.ts"
import { query } from "./DatabaseRows.ts"
import type { Installation } from "./Installation.ts"
import { codeFor } from "./Mail.ts"
import type { Server } from "./Server.ts"

/** A business that has signed up, with a verified email and an API key. */
export interface Account {
  readonly email: string
  readonly password: string
  readonly businessId: number
  readonly accessToken: string
  readonly apiKey: string
  /** A client with the API key. */
  readonly client: Client
  /** A client of another server of the same installation. */
  readonly through: (server: Server) => Client
}

/** The input of a trip: its required fields and a price. */
export const trip = (customerName = "Ada Lovelace") => ({
  trip_date: "2031-05-04T09:30:00Z",
  pickup_address: "Airport, Terminal 1",
  dropoff_address: "Grand Hotel",
  customer_name: customerName,
  total_amount: 129.5
})

/** Verifies an address with the code of the message to it, which a process that sends email must be running for. */
const verifyByCode = async (place: Installation, { api }: Server, email: string) => {
  await livery({ baseUrl: api }).auth.verifyEmail({ code: await codeFor(place.directory, email) })
}

/** Verifies an address where no process sends email. */
export const verifyInDatabase = async (place: Installation, _: Server, email: string) => {
  await query(place, `update users set email_verified_at = now() where email = '${email}'`)
}

/** Signs up a new business through the API, as a person does. */
export const signUp = async (
  place: Installation,
  server: Server,
  verify: (place: Installation, server: Server, email: string) => Promise<void> = verifyByCode
): Promise<Account> => {
  const baseUrl = server.api
  const anyone = livery({ baseUrl })
  const email = `owner-${randomBytes(5).toString("hex")}@cars.example`
  const password = "correct horse battery"
  const { business_id: businessId } = await anyone.auth.register({
    name: "Grace Hopper",
    email,
    password,
    business_name: "Hopper Cars"
  })
  await verify(place, server, email)
  const { access_token: accessToken } = await anyone.auth.login({ email, password })
  const { api_key: apiKey } = await livery({ baseUrl, accessToken }).me.createApiKey()
  const through = ({ api }: Server) => clientOf(api, bearer(apiKey))
  return {
    email,
    password,
    businessId,
    accessToken,
    apiKey,
    client: through(server),
    through
  }
}
