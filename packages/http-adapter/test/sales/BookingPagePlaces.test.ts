import { PlaceFinder } from "@livery/domain"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { company } from "../support/Fleet.ts"
import { tariff } from "../support/Tenant.ts"
import { Ports } from "../support/TestPorts.ts"
import { openServer, record, records, refusedAs } from "../support/TestServer.ts"

const zones = [
  {
    id: "zrh",
    name: "Zürich Airport",
    kind: "airport",
    airport: "ZRH",
    lat: 47.45,
    lng: 8.56,
    radius_m: 3000
  },
  { id: "old", name: "Old town", kind: "postal", prefixes: ["8001"] },
  {
    id: "lake",
    name: "Lake",
    kind: "polygon",
    points: [
      { lat: 47, lng: 8 },
      { lat: 47, lng: 9 },
      { lat: 48, lng: 9 },
      { lat: 48, lng: 8 }
    ]
  }
]

const airport = {
  name: "Zürich Airport",
  is_zone: true,
  airport: "ZRH",
  postal_code: null,
  lat: 47.45,
  lng: 8.56
}

/** A business with zones, and a visitor's searches of places. */
const page = Effect.gen(function* () {
  const server = yield* openServer()
  const { send } = yield* company(server)
  const slug = String(record(yield* send("GET", "/settings/business"))["vendor_slug"])
  const path = `/public/businesses/${slug}`
  return {
    send,
    slug,
    read: server.send("GET", path),
    find: (query: string) => server.send("GET", `${path}/places${query}`),
    ask: (at: string) => server.send("GET", at)
  }
})

layer(Ports)("the places of a booking page", (it) => {
  it.effect("are the zones of the tariff by name, airport and postal code, also without accents", () =>
    Effect.gen(function* () {
      const { ask, find, read, send } = yield* page
      assert.deepStrictEqual(records(yield* find("?query=zrh")), [])
      record(yield* send("POST", "/tariffs", { ...tariff, zones }))
      assert.deepStrictEqual(records(yield* find("?query=zurich%20a")), [airport])
      assert.deepStrictEqual(records(yield* find("?query=zrh&language=de")), [airport])
      assert.deepInclude(records(yield* find("?query=80"))[0], {
        name: "Old town",
        postal_code: "8001",
        lat: null
      })
      assert.deepInclude(records(yield* find("?query=lake"))[0], { lat: 47.5, lng: 8.5 })
      assert.lengthOf(records(yield* find("")), 3)
      assert.deepInclude(record(yield* read), { finds_places: false })
      assert.strictEqual((yield* ask("/public/businesses/nobody/places?query=zrh")).status, 404)
      assert.deepStrictEqual(refusedAs(yield* find(`?query=${"x".repeat(201)}`), 422, "invalid_request"), [
        { field: "query", issue: "too_long" }
      ])
      refusedAs(yield* find("?language=deutsch"), 422, "invalid_request")
    })
  )

  it.effect("are also addresses if there is a geocoding service, which gets three letters or more", () => {
    const asked: Array<object> = []
    const finder = Effect.fnUntraced(function* (query: object) {
      asked.push(query)
      return yield* Effect.succeed([{ name: "Lake Road 1", postal_code: "8002", lat: 47.36, lng: 8.53 }])
    })
    return Effect.gen(function* () {
      const { find, read, send } = yield* page
      record(yield* send("POST", "/tariffs", { ...tariff, zones }))
      assert.deepInclude(record(yield* read), { finds_places: true })
      assert.lengthOf(records(yield* find("?query=la")), 1)
      const names = records(yield* find("?query=%20lake%20&language=de")).map(({ is_zone, name }) => [
        name,
        is_zone
      ])
      assert.deepStrictEqual(names, [
        ["Lake", true],
        ["Lake Road 1", false]
      ])
      assert.deepStrictEqual(asked, [{ text: "lake", language: "de", near: { lat: 47.45, lng: 8.56 } }])
    }).pipe(Effect.provideService(PlaceFinder, finder))
  })
})
