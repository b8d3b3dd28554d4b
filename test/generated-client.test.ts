import type { CarRecord, TripRecord } from "@livery/domain"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { type GeneratedClient, generatedClient } from "./support/GeneratedClient.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

/** A program that uses the generated client. Its arguments are the server's address and an API key. */
const program = `
import { Api, type Car, type NotFoundError, type Trip, type TripsCreateInput } from "./client.ts"

const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
const baseApiParams = { headers: { Authorization: \`Bearer \${apiKey}\` } }
const { api } = new Api({ baseUrl, baseApiParams })

type IsAny<A> = 0 extends 1 & A ? true : false
type Is<A, B> = IsAny<A> extends true ? false : [A, B] extends [B, A] ? true : false
export const numbers: [Is<Trip["trip_id"], number>, Is<Trip["driver_ids"], number[]>] = [true, true]
export const texts: [Is<Trip["pickup_at"], string>, Is<TripsCreateInput["trip_date"], string>] = [true, true]

const booking = { pickup_address: "Airport", dropoff_address: "Grand Hotel", customer_name: "Ada Lovelace" }
// @ts-expect-error An id is a number.
export const byText = () => api.tripsRead("1")
// A payment and its refund may name the currency.
export const pay = () => api.invoicesPay(1, { amount: 90, method: "cash", currency: "USD" })
export const refund = () => api.invoicesRefund(1, 2, { currency: "USD" })
// @ts-expect-error A time is a text.
export const byNumber = () => api.tripsCreate({ ...booking, trip_date: 1_935_910_800 })

const booked = await api.tripsCreate({ ...booking, trip_date: "2031-05-04T09:30:00Z" })
const id: number = booked.data.data.trip_id
const read = await api.tripsRead(id)
const listed = await api.tripsList({ search: "Lovelace" })
const refusal = await api.tripsRead(id + 1_000_000).then(
  () => undefined,
  ({ error }: { error: NotFoundError }) => error.error.type
)

// A later version of the API may add fields to its responses.
const withAddedField = async (...request: Parameters<typeof fetch>) => {
  const response = await fetch(...request)
  const body = await response.json()
  return Response.json({ ...body, data: { ...body.data, wheels: 4 } }, { status: response.status })
}
const later = new Api({ baseUrl, baseApiParams, customFetch: withAddedField })
const created = await later.api.carsCreate({ name: "Phantom" })
const wider = { ...created.data.data, wheels: 4 }
const car: Car = wider
console.log(JSON.stringify({ trip: read.data.data, first: listed.data.data[0]?.trip_id, refusal, car }))
`

/** What the program prints. */
interface Printed {
  readonly trip: TripRecord
  readonly first: number
  readonly refusal: string
  readonly car: CarRecord & { readonly wheels: number }
}

describe("a client that is generated from openapi.json", () => {
  let place: Installation
  let server: Server
  let account: Account
  let document: { readonly paths: object }
  let client: GeneratedClient
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
    const response = await fetch(`${server.address}/openapi.json`)
    document = (await response.json()) as { readonly paths: object }
    client = await generatedClient(document)
  })
  afterAll(async () => {
    client.remove()
    await place.remove()
  })

  it("has numbers for the ids of records", () => {
    const records = new Set(
      Object.keys(document.paths).flatMap((path) => {
        const record = /\/(?<plural>\w+)s\/\{id\}/u.exec(path)?.groups?.["plural"]
        return record === undefined ? [] : [`${record}_id`, `${record}_ids`]
      })
    )
    for (const name of ["trip_id", "driver_ids", "car_id", "customer_id", "invoice_id"])
      assert.include([...records], name)
    const fields = client.source.matchAll(/^\s+(?<name>\w+_ids?)\??: (?<type>[^;]+);$/gmu)
    for (const { groups: { name = "", type = "" } = {} } of fields)
      if (records.has(name)) assert.match(type, /^(?:number|number\[\])(?: \| null)?$/u, name)
  })

  it("has a type for every field but those that hold any value", () => {
    // The client's own machinery follows the types of the document.
    const [types = ""] = client.source.split("export type QueryParamsType")
    const untyped = types.matchAll(/^\s+"?(?<name>\w+)"?\??: \(?(?:any|unknown)\b/gmu)
    for (const { groups } of untyped) assert.include(["before", "after", "value"], groups?.["name"])
  })

  it("compiles with ids as numbers and times as texts, and works with a server that adds fields", async () => {
    const output = await client.run(program, [server.address, account.apiKey])
    const { car, first, refusal, trip } = JSON.parse(output) as Printed
    const stored = await account.client.get<TripRecord>(`/trips/${trip.trip_id}`)
    assert.deepStrictEqual(trip, stored.body.data)
    assert.deepEqual([first, refusal], [trip.trip_id, "not_found"])
    assert.deepEqual([car.name, car.wheels], ["Phantom", 4])
  })
})
