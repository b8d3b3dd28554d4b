/** What the script needs in a business of `grow`, beyond the rows of its lists. */
import { livery } from "@livery/client"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { ask } from "../../webhooks/Cluster.ts"
import type { Grown } from "../lists/Growth.ts"
import { load } from "../lists/Population.ts"
import { email, password, signIn } from "../lists/SignIn.ts"
import { executable } from "../Servers.ts"
import { tariff } from "./SalesSteps.ts"
import type { Callers } from "./Script.ts"
import type { Known } from "./Step.ts"

/** A business with the callers of the script and what it knows. */
export interface Acting {
  readonly rows: number
  readonly callers: Callers
  /** What the script knows at the beginning of a round. */
  readonly known: (round: number) => Known
}

const adminEmail = "admin@bench.example.com"

/** How many rounds find records that they use up. */
const rounds = 20

/** How many trips of each month the buyer has. */
const monthlyTrips = 20

/** Makes the super-admin. */
export const makeAdmin = (directory: string) => {
  const account = ["--name", "Admin", "--email", adminEmail, "--password", password, "--account-type", "S"]
  return promisify(execFile)(process.execPath, [executable, "users", "create", ...account], {
    env: { ...process.env, LIVERY_DATA_DIR: directory, DATABASE_URL: "" }
  })
}

/** The month of a round, `YYYY-MM`. */
const monthOf = (round: number) =>
  `${2021 + Math.floor(round / 12)}-${String((round % 12) + 1).padStart(2, "0")}`

/**
 * Gives a business what its requests need: a plan without limits, email credits, and a customer with completed trips in each
 * month of {@link monthOf}.
 */
const equip = async (url: string, { businessId }: Grown) => {
  await ask(
    url,
    "update plans set drivers = null where plan_id = 3",
    `update businesses set currency = 'CHF', timezone = 'Europe/Zurich' where business_id = ${businessId}`,
    `insert into business_counters (business_id, email_credits_change) values (${businessId}, 1000000)
     on conflict (business_id) do update set email_credits_change = excluded.email_credits_change`
  )
  const [buyer] = await ask(
    url,
    `insert into customers (business_id, name, created_at, updated_at) values (${businessId}, 'Buyer', now(), now())
     returning customer_id as id`
  )
  await load(
    url,
    `insert into trips (business_id, reference, status, driver_status, payment_status, trip_type, trip_date, pickup_address,
       dropoff_address, customer_id, customer_name, total_minor, currency, completed_at, created_at, updated_at)
     select ${businessId}, 'MONTH-' || month || '-' || n, 'completed', 'unassigned', 'unpaid', 'transfer',
       timestamptz '2021-01-02 10:00:00Z' + month * interval '1 month' + n * interval '1 day', 'Here', 'There',
       ${Number(buyer?.["id"])}, 'Buyer', 12900, 'CHF', now(), now(), now()
     from generate_series(0, ${rounds - 1}) month, generate_series(1, ${monthlyTrips}) n`
  )
  return Number(buyer?.["id"])
}

/** Gives every tariff the prices of one that the API has made. */
const addPrices = async (api: string, url: string, { businessId, key }: Grown) => {
  const { tariff_id } = await livery({ baseUrl: api, apiKey: key }).fares.create(tariff)
  await load(
    url,
    `insert into tariff_versions (business_id, tariff_id, version, content, created_at)
     select t.business_id, t.tariff_id, t.version, v.content, now()
     from tariffs t join tariff_versions v on v.business_id = t.business_id and v.tariff_id = ${tariff_id}
     where t.business_id = ${businessId} and t.tariff_id < ${tariff_id}`
  )
}

const idsOf = async (url: string, statement: string) =>
  (await ask(url, statement)).map((row) => Number(row["id"]))

/** Prepares a business for the script. The person of `makePerson` and the super-admin exist. */
export const prepare = async (api: string, url: string, grown: Grown): Promise<Acting> => {
  const { businessId, carId, customerId, driverId, endpointId, invoiceId, productId, rows, tripId } = grown
  const buyer = await equip(url, grown)
  await addPrices(api, url, grown)
  const members = await idsOf(
    url,
    `select user_id as id from business_members where business_id = ${businessId} and role = 'viewer' order by 1 limit ${rounds}`
  )
  const failed = await idsOf(
    url,
    `select delivery_id as id from webhook_deliveries
     where business_id = ${businessId} and endpoint_id = ${endpointId} and status = 'failed' order by 1 limit ${rounds}`
  )
  const [business] = await ask(
    url,
    `select vendor_slug as slug from businesses where business_id = ${businessId}`
  )
  await ask(url, "set statement_timeout = 0", "vacuum analyze")
  return {
    rows,
    callers: {
      business: { authorization: `Bearer ${grown.key}` },
      person: { authorization: `Bearer ${await signIn(api)}`, "x-business-id": String(businessId) },
      admin: { authorization: `Bearer ${await signIn(api, adminEmail)}` },
      nobody: {}
    },
    known: (round) => ({
      round,
      unique: `${rows}-${round}`,
      phone: `+41 44 ${businessId}${String(1_000_000 + round)}`,
      month: monthOf(round),
      member: members[round],
      failed: failed[round],
      business: businessId,
      slug: business?.["slug"],
      email,
      buyer,
      customer: customerId,
      driver: driverId,
      car: carId,
      endpoint: endpointId,
      invoice: invoiceId,
      product: productId,
      oldTrip: tripId
    })
  }
}
