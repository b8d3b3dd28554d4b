/**
 * The mix of a day: 55 % lists, 15 % single records, 20 % positions, 10 % writes. A business sends requests in proportion
 * to the square root of its trips.
 */
import type { Request } from "../Load.ts"
import { booking, positionReport } from "../Routes.ts"
import type { Company } from "./DayPopulation.ts"

/** Stands for a number of eight digits that is new in each request. */
export const fresh = "<fresh#>"

/** A kind of request and its share of the mix, in hundredths. */
interface Kind {
  readonly name: string
  readonly share: number
  readonly make: (company: Company, index: number) => Request
}

const base = "/api/v1"
const json = { "Content-Type": "application/json" }

const withKey = ({ key }: Company) => ({ Authorization: `Bearer ${key}` })

const get = (company: Company, path: string): Request => ({
  method: "GET",
  path: base + path,
  headers: withKey(company)
})

const send = (company: Company, method: string, path: string, body: object): Request => ({
  method,
  path: base + path,
  headers: { ...withKey(company), ...json },
  body: JSON.stringify(body)
})

const pick = <A>(from: ReadonlyArray<A>, index: number): A => {
  const picked = from[index % from.length]
  if (picked === undefined) throw new Error("Nothing to choose from")
  return picked
}

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)

/** The filters of the list of trips. Offices look at what comes next more often than at what was. */
const filters = [
  () => "filter=upcoming",
  () => "filter=upcoming&status=confirmed",
  () => "",
  () => "filter=upcoming&page=2",
  () => `date_from=${day(0)}&date_to=${day(0)}`,
  () => `date_from=${day(1)}&date_to=${day(7)}`,
  () => "status=pending",
  () => "filter=previous",
  () => "status=completed&payment_status=unpaid",
  () => "payment_status=unpaid&page=3",
  ({ customers }: Company, index: number) => `customer_id=${pick(customers, index)}`,
  ({ customers }: Company, index: number) => `customer_id=${pick(customers, index)}&filter=upcoming`
]

/** Every kind of request. */
export const kinds: ReadonlyArray<Kind> = [
  {
    name: "GET /trips?…",
    share: 42,
    make: (company, index) => get(company, `/trips?${pick(filters, index)(company, index)}`)
  },
  {
    name: "GET /customers",
    share: 7,
    make: (company, index) => get(company, `/customers?page=${1 + (index % 2)}`)
  },
  { name: "GET /drivers", share: 6, make: (company) => get(company, "/drivers") },
  {
    name: "GET /trips/{id}",
    share: 15,
    make: (company, index) => get(company, `/trips/${pick(company.upcoming, index)}`)
  },
  {
    name: "POST /driver/location",
    share: 20,
    make: (company, index) => positionReport(pick(company.tokens, index), index % 1000)
  },
  {
    name: "POST /trips",
    share: 5,
    make: (company, index) =>
      send(company, "POST", "/trips", {
        ...booking,
        trip_date: new Date(Date.UTC(2031, 4, 4, 9, index % 5000)).toISOString(),
        customer_name: `Ada ${fresh}`
      })
  },
  {
    name: "PATCH /trips/{id}",
    share: 2,
    make: (company, index) =>
      send(company, "PATCH", `/trips/${pick(company.upcoming, index)}`, { terminal: `T${fresh}` })
  },
  {
    name: "POST /trips/{id}/drivers",
    share: 2,
    make: (company, index) =>
      send(company, "POST", `/trips/${pick(company.upcoming, index)}/drivers`, {
        driver_ids: [pick(company.drivers, index)]
      })
  },
  {
    name: "POST /invoices/{id}/payments",
    share: 1,
    make: (company, index) =>
      send(company, "POST", `/invoices/${pick(company.invoices, index)}/payments`, {
        amount: 0.01,
        method: "cash"
      })
  }
]

/** A generator of numbers from 0 to 1 that gives the same ones in every run. */
const seeded = (seed: number) => {
  let drawn = seed
  return () => {
    drawn = (Math.imul(drawn, 1_664_525) + 1_013_904_223) >>> 0
    return drawn / 2 ** 32
  }
}

/** So many requests of the mix, in random order, or of one kind. */
export const makeMix = (
  companies: ReadonlyArray<Company>,
  count: number,
  only?: string
): ReadonlyArray<Request> => {
  const random = seeded(7)
  const chosen = kinds.filter(({ name }) => only === undefined || name === only)
  const drawn = <A>(from: ReadonlyArray<A>, weightOf: (each: A) => number) => {
    const bounds: Array<number> = []
    for (const each of from) bounds.push((bounds.at(-1) ?? 0) + weightOf(each))
    const total = bounds.at(-1) ?? 0
    return () => {
      const at = random() * total
      return pick(
        from,
        bounds.findIndex((bound) => at < bound)
      )
    }
  }
  const company = drawn(companies, ({ trips }) => Math.sqrt(trips))
  const kind = drawn(chosen, ({ share }) => share)
  return Array.from({ length: count }, () => kind().make(company(), Math.floor(random() * 100_000)))
}
