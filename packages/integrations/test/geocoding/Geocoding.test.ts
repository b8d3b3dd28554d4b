import { PlaceFinder } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { Geocoding, geocodingKindOf } from "@livery/integrations"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import { startGeocodingServer } from "./GeocodingServer.ts"

const hotel = { lat: 47.3667, lng: 8.545, postal_code: "8001" }

/** The port over an emulated service, closed with the scope. */
const over = Effect.fnUntraced(function* (
  kind: "photon" | "nominatim",
  fault?: { readonly status: number; readonly text: string }
) {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startGeocodingServer(fault)),
    ({ close }) => Effect.promise(close)
  )
  const url = new URL(kind === "photon" ? "/api" : "/search?key=secret", server.url)
  const context = yield* Layer.build(Layer.merge(Geocoding.layer({ url, kind }), Logger.layer([])))
  const find = yield* Effect.provide(PlaceFinder, context)
  const search = (text: string, language: string | null = null) =>
    find === undefined ? Effect.die("no port") : find({ text, language, near: { lat: 47.4, lng: 8.5 } })
  return {
    asked: server.asked,
    search: (...query: Parameters<typeof search>) => Effect.provide(search(...query), context)
  }
})

describe("finding places", () => {
  it.effect("with Photon gives addresses in one line, with coordinates and postal code", () =>
    Effect.gen(function* () {
      const { asked, search } = yield* over("photon")
      assert.deepStrictEqual(yield* search("grand h", "de"), [
        { name: "Grand Hotel, Lake Road 1, 8001 Zürich, Switzerland", ...hotel }
      ])
      assert.deepStrictEqual(asked, ["/api?q=grand+h&limit=6&lang=de&lat=47.4000&lon=8.5000"])
      // Photon refuses a language that it does not have, so it is not sent.
      assert.lengthOf(yield* search("grand", "ar"), 1)
    })
  )

  it.effect("with Nominatim gives its display names, and keeps the parameters of its address", () =>
    Effect.gen(function* () {
      const { asked, search } = yield* over("nominatim")
      assert.deepStrictEqual(yield* search("grand", "ar"), [
        { name: "Grand Hotel, 1, Lake Road, Zürich, 8001, Switzerland", ...hotel }
      ])
      const [address = ""] = asked
      const { pathname, searchParams } = new URL(address, "http://localhost")
      assert.strictEqual(pathname, "/search")
      assert.deepStrictEqual(Object.fromEntries(searchParams), {
        key: "secret",
        q: "grand",
        limit: "6",
        format: "jsonv2",
        addressdetails: "1",
        "accept-language": "ar",
        viewbox: "8.0000,47.9000,9.0000,46.9000"
      })
    })
  )

  it.effect.each([
    { status: 400, text: "that query is wrong" },
    { status: 200, text: "<html>" },
    { status: 200, text: "x".repeat(300_000) }
  ])("asks again at once after a response with $status that is about one query", (fault) =>
    Effect.gen(function* () {
      const { asked, search } = yield* over("photon", fault)
      assert.deepStrictEqual(yield* search("grand"), [])
      assert.deepStrictEqual(yield* search("grand h"), [])
      assert.lengthOf(asked, 2)
    })
  )

  it.effect("leaves out places that cannot be read, and takes null for a missing part", () =>
    Effect.gen(function* () {
      const photon = yield* over("photon", {
        status: 200,
        text: JSON.stringify({
          features: [
            { geometry: { coordinates: ["x", 1] }, properties: {} },
            null,
            {
              geometry: { coordinates: [8.5, 47.4] },
              properties: { name: "Quay", postcode: null, city: null }
            }
          ]
        })
      })
      const quay = { name: "Quay", postal_code: null, lat: 47.4, lng: 8.5 }
      assert.deepStrictEqual(yield* photon.search("quay"), [quay])
      const nominatim = yield* over("nominatim", {
        status: 200,
        text: JSON.stringify([
          { lat: "north", lon: "8.5", display_name: "Nowhere" },
          { lat: "47.4", lon: "8.5", display_name: "Quay", address: null }
        ])
      })
      assert.deepStrictEqual(yield* nominatim.search("quay"), [quay])
    })
  )

  it.effect.each([
    { status: 503, text: "busy" },
    { status: 429, text: "slower" },
    { status: 500, text: "fault" }
  ])("finds nothing while the server responds with $status, and does not ask again for 10 seconds", (fault) =>
    Effect.gen(function* () {
      const { asked, search } = yield* over("photon", fault)
      assert.deepStrictEqual(yield* search("grand"), [])
      yield* TestClock.adjust("9 seconds")
      assert.deepStrictEqual(yield* search("grand"), [])
      assert.lengthOf(asked, 1)
      yield* TestClock.adjust("1 seconds")
      yield* search("grand")
      assert.lengthOf(asked, 2)
    })
  )

  it("knows the service by the end of its address", () => {
    const kinds = [
      "https://photon.example.com/api",
      "https://photon.example.com/api/",
      "https://nominatim.example.com/search",
      "https://nominatim.example.com/search.php?key=1",
      "https://example.com/geocode",
      "ftp://example.com/api"
    ].map((address) => geocodingKindOf(new URL(address)))
    assert.deepStrictEqual(kinds, ["photon", "photon", "nominatim", "nominatim", undefined, undefined])
  })
})
