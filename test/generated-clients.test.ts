import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { signUp } from "./support/Account.ts"
import {
  type GeneratedClient,
  generatedClient,
  type Generator,
  hasGenerators
} from "./support/GeneratedClients.ts"
import { type Installation, installation } from "./support/Installation.ts"
import type { Server } from "./support/Server.ts"

/** What all programs begin with. Their arguments are the address of the API and an API key. */
const start = `
const [baseUrl = "", apiKey = ""] = process.argv.slice(2)
const headers = { Authorization: \`Bearer \${apiKey}\` }
const booking = { pickup_address: "Airport", dropoff_address: "Grand Hotel", trip_date: "2031-05-04T09:30:00Z" }
const has = <A>(value: A | undefined): A => {
  if (value === undefined) throw new Error("no data")
  return value
}
type IsAny<A> = 0 extends 1 & A ? true : false
type Is<A, B> = IsAny<A> extends true ? false : [A, B] extends [B, A] ? true : false
`

/** Ten calls of each client, with the same result. */
const programs: Readonly<Record<Generator, string>> = {
  "openapi-typescript": `
import createClient from "openapi-fetch"
import type { components, paths } from "./client.ts"
${start}
const client = createClient<paths>({ baseUrl, headers })
type Trip = components["schemas"]["Trip"]
export const checks: [Is<Trip["trip_id"], number>, Is<Trip["driver_ids"], number[]>, Is<Trip["pickup_at"], string>] = [true, true, true]
// @ts-expect-error An id is a number.
export const byText = () => client.GET("/trips/{id}", { params: { path: { id: "1" } } })
const ping = has((await client.GET("/ping")).data).data
const car = has((await client.POST("/cars", { body: { name: "Phantom" } })).data).data
const driver = has((await client.POST("/drivers", { body: { name: "Grace Hopper" } })).data).data
const customer = has((await client.POST("/customers", { body: { name: "Ada Lovelace" } })).data).data
const trip = has((await client.POST("/trips", { body: { ...booking, customer_id: customer.customer_id } })).data).data
const id: number = trip.trip_id
const path = { id }
const changed = has((await client.PATCH("/trips/{id}", { params: { path }, body: { car_id: car.car_id } })).data).data
const assigned = has((await client.POST("/trips/{id}/drivers", { params: { path }, body: { driver_ids: [driver.driver_id] } })).data).data
const listed = has((await client.GET("/trips", { params: { query: { search: "Lovelace", page: 1 } } })).data)
const events = has((await client.GET("/events")).data).data
const first = events[0]
if (first?.type === "trip.created") console.error(first.data.pickup_address)
const refusal = await client.GET("/trips/{id}", { params: { path: { id: id + 1_000_000 } } })
console.log(JSON.stringify([
  ping.business_id > 0, car.name, customer.name, changed.car_id === car.car_id, assigned.drivers.length,
  listed.data.map(({ reference }) => reference === trip.reference), listed.meta.pagination.has_more, first?.type, refusal.error?.error.type
]))
`,
  "@hey-api/openapi-ts": `
import * as api from "./client/index.ts"
import { client } from "./client/client.gen.ts"
${start}
client.setConfig({ baseUrl, headers })
type Trip = api.Trip
export const checks: [Is<Trip["trip_id"], number>, Is<Trip["driver_ids"], number[]>, Is<Trip["pickup_at"], string>] = [true, true, true]
// @ts-expect-error An id is a number.
export const byText = () => api.tripsRead({ path: { id: "1" } })
// A payment and its refund may name the currency.
export const pay = () => api.invoicesPay({ path: { id: 1 }, body: { amount: 90, method: "cash", currency: "USD" } })
// A later version of the API may add fields to its records.
declare const wider: api.Car & { wheels: number }
export const car1 = (): api.Car => wider
const ping = has((await api.businessPing()).data).data
const car = has((await api.carsCreate({ body: { name: "Phantom" } })).data).data
const driver = has((await api.driversCreate({ body: { name: "Grace Hopper" } })).data).data
const customer = has((await api.customersCreate({ body: { name: "Ada Lovelace" } })).data).data
const trip = has((await api.tripsCreate({ body: { ...booking, customer_id: customer.customer_id } })).data).data
const id: number = trip.trip_id
const changed = has((await api.tripsUpdate({ path: { id }, body: { car_id: car.car_id } })).data).data
const assigned = has((await api.tripsAssign({ path: { id }, body: { driver_ids: [driver.driver_id] } })).data).data
const listed = has((await api.tripsList({ query: { search: "Lovelace", page: 1 } })).data)
const events = has((await api.eventsList()).data).data
const first = events[0]
if (first?.type === "trip.created") console.error(first.data.pickup_address)
const refusal = await api.tripsRead({ path: { id: id + 1_000_000 } })
console.log(JSON.stringify([
  ping.business_id > 0, car.name, customer.name, changed.car_id === car.car_id, assigned.drivers.length,
  listed.data.map(({ reference }) => reference === trip.reference), listed.meta.pagination.has_more, first?.type, refusal.error?.error.type
]))
`,
  orval: `
import * as api from "./client.ts"
${start}
const options = { headers }
type Trip = api.Trip
export const checks: [Is<Trip["trip_id"], number>, Is<Trip["driver_ids"], number[]>, Is<Trip["pickup_at"], string>] = [true, true, true]
// @ts-expect-error An id is a number.
export const byText = () => api.tripsRead("1")
const dataOf = <A extends { status: number; data: unknown }, S extends number>(response: A, status: S) => {
  if (response.status !== status) throw new Error(JSON.stringify(response))
  return (response as Extract<A, { status: S }>)["data"] as Extract<A, { status: S }>["data"]
}
const ping = dataOf(await api.businessPing(options), 200).data
const car = dataOf(await api.carsCreate({ name: "Phantom" }, options), 201).data
const driver = dataOf(await api.driversCreate({ name: "Grace Hopper" }, options), 201).data
const customer = dataOf(await api.customersCreate({ name: "Ada Lovelace" }, options), 201).data
const trip = dataOf(await api.tripsCreate({ ...booking, customer_id: customer.customer_id }, options), 201).data
const id: number = trip.trip_id
const changed = dataOf(await api.tripsUpdate(id, { car_id: car.car_id }, options), 200).data
const assigned = dataOf(await api.tripsAssign(id, { driver_ids: [driver.driver_id] }, options), 200).data
const listed = dataOf(await api.tripsList({ search: "Lovelace", page: 1 }, options), 200)
const events = dataOf(await api.eventsList({}, options), 200).data
const first = events[0]
if (first?.type === "trip.created") console.error(first.data.pickup_address)
const refusal = await api.tripsRead(id + 1_000_000, options)
const refused = dataOf(refusal, 404)
console.log(JSON.stringify([
  ping.business_id > 0, car.name, customer.name, changed.car_id === car.car_id, assigned.drivers.length,
  listed.data.map(({ reference }) => reference === trip.reference), listed.meta.pagination.has_more, first?.type, refused.error.type
]))
`
}

describe.skipIf(!hasGenerators)("a client that a generator makes from openapi.json", () => {
  let place: Installation
  let server: Server
  let document: string
  const clients = new Map<Generator, GeneratedClient>()
  const clientBy = async (generator: Generator) => {
    const client = clients.get(generator) ?? (await generatedClient(generator, document, server.api))
    clients.set(generator, client)
    return client
  }
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    document = await (await fetch(`${server.address}/openapi.json`)).text()
  })
  afterAll(async () => {
    for (const client of clients.values()) client.remove()
    await place.remove()
  })

  it.each(Object.keys(programs) as ReadonlyArray<Generator>)(
    "by %s compiles under strict checks, and its ten calls work",
    async (generator) => {
      const client = await clientBy(generator)
      const { apiKey } = await signUp(place, server)
      const output = await client.run(programs[generator], [server.api, apiKey])
      assert.deepStrictEqual(JSON.parse(output), [
        true,
        "Phantom",
        "Ada Lovelace",
        true,
        1,
        [true],
        false,
        "trip.created",
        "not_found"
      ])
    },
    120_000
  )

  it("has numbers for the ids of records, and a type for every field but those that hold any value", async () => {
    const client = await clientBy("@hey-api/openapi-ts")
    const { paths } = JSON.parse(document) as { readonly paths: object }
    const records = new Set(
      Object.keys(paths).flatMap((path) => {
        const record = /\/(?<plural>\w+)s\/\{id\}/u.exec(path)?.groups?.["plural"]
        return record === undefined ? [] : [`${record}_id`, `${record}_ids`]
      })
    )
    for (const name of ["trip_id", "driver_ids", "car_id", "customer_id", "invoice_id"])
      assert.include([...records], name)
    const types = client.source("client/types.gen.ts")
    const fields = types.matchAll(/^\s+(?<name>\w+_ids?)\??: (?<type>[^;]+);$/gmu)
    for (const { groups: { name = "", type = "" } = {} } of fields)
      if (records.has(name)) assert.match(type, /^(?:number|Array<number>)(?: \| null)?$/u, name)
    const untyped = types.matchAll(/^\s+"?(?<name>\w+)"?\??: \(?(?:any|unknown)\b/gmu)
    for (const { groups } of untyped) assert.include(["before", "after", "value"], groups?.["name"])
  })
})
