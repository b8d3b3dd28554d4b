import { assert, describe, it } from "@effect/vitest"
import type { Place } from "@livery/domain"
import { Schema } from "effect"
import { compiled, nowhere, place } from "./Tariffs.ts"

const zone = (id: string, fields: object) => ({ id, name: id, ...fields })
const circle = (id: string, lat: number, lng: number, radius_m: number) =>
  zone(id, { kind: "circle", lat, lng, radius_m })
const polygon = (id: string, ...corners: ReadonlyArray<readonly [number, number]>) =>
  zone(id, { kind: "polygon", points: corners.map(([lat, lng]) => ({ lat, lng })) })

/** The zones that a place is in, the most specific one first. */
const found = (zones: ReadonlyArray<object>, at: Partial<Place>) => {
  const index = compiled({ zones }).zones
  return index.find(place(at)).map(index.idOf)
}

const metresNorth = (metres: number) => metres / 111_195.08

describe("postal codes", () => {
  const zones = [
    zone("w", { kind: "postal", prefixes: ["W"] }),
    zone("wc", { kind: "postal", prefixes: ["WC", "EC"] }),
    zone("wc2", { kind: "postal", prefixes: ["wc 2"] })
  ]
  it("a postal code is in each zone that has a prefix of it, the longest prefix first", () => {
    assert.deepStrictEqual(found(zones, { postal_code: "WC2N 5DU" }), ["wc2", "wc", "w"])
    assert.deepStrictEqual(found(zones, { postal_code: "wc1a-1aa" }), ["wc", "w"])
    assert.deepStrictEqual(found(zones, { postal_code: "EC1" }), ["wc"])
    assert.deepStrictEqual(found(zones, { postal_code: "N1" }), [])
    assert.deepStrictEqual(found(zones, { postal_code: "" }), [])
  })

  it("the longest matching prefix of a zone decides how specific the zone is", () => {
    const both = [
      zone("broad", { kind: "postal", prefixes: ["80", "8"] }),
      zone("narrow", { kind: "postal", prefixes: ["800"] })
    ]
    assert.deepStrictEqual(found(both, { postal_code: "8001" }), ["narrow", "broad"])
    assert.deepStrictEqual(found(both, { postal_code: "8010" }), ["broad"])
  })
})

describe("circles", () => {
  const zones = [circle("town", 46, 7, 5000)]
  it("a place on the edge of a circle, or within a metre of it, is in it", () => {
    assert.deepStrictEqual(found(zones, { lat: 46 + metresNorth(5000), lng: 7 }), ["town"])
    assert.deepStrictEqual(found(zones, { lat: 46 + metresNorth(5000.9), lng: 7 }), ["town"])
    assert.deepStrictEqual(found(zones, { lat: 46 + metresNorth(5001.5), lng: 7 }), [])
  })

  it("a circle around the antimeridian or a pole is round", () => {
    assert.deepStrictEqual(found([circle("fiji", -17, 179.99, 5000)], { lat: -17, lng: -179.99 }), ["fiji"])
    assert.deepStrictEqual(found([circle("pole", 90, 0, 5000)], { lat: 89.99, lng: 123 }), ["pole"])
  })
})

describe("polygons", () => {
  const square = polygon("square", [46, 7], [46, 8], [47, 8], [47, 7])
  it("a place is in a polygon if it is within its edges, or within a metre of one", () => {
    assert.deepStrictEqual(found([square], { lat: 46.5, lng: 7.5 }), ["square"])
    assert.deepStrictEqual(found([square], { lat: 46.5, lng: 6.999 }), [])
    for (const [lat, lng] of [
      [46, 7],
      [47, 8],
      [46.5, 7],
      [46, 7.5],
      [46 - metresNorth(0.9), 7.5]
    ] as const)
      assert.deepStrictEqual(found([square], { lat, lng }), ["square"], `${lat} ${lng}`)
    assert.deepStrictEqual(found([square], { lat: 46 - metresNorth(1.2), lng: 7.5 }), [])
  })

  it("the order of the corners does not matter, and a polygon may span the antimeridian", () => {
    const clockwise = polygon("square", [47, 7], [47, 8], [46, 8], [46, 7])
    assert.deepStrictEqual(found([clockwise], { lat: 46.5, lng: 7.5 }), ["square"])
    const fiji = polygon("fiji", [-18, 178], [-18, -178], [-16, -178], [-16, 178])
    for (const lng of [179, -179, 180, -180])
      assert.deepStrictEqual(found([fiji], { lat: -17, lng }), ["fiji"], `${lng}`)
    for (const lng of [0, 177, -177]) assert.deepStrictEqual(found([fiji], { lat: -17, lng }), [], `${lng}`)
  })

  it("a point in a dent of a polygon is outside of it", () => {
    const dented = polygon("u", [0, 0], [0, 3], [3, 3], [3, 2], [1, 2], [1, 1], [3, 1], [3, 0])
    assert.deepStrictEqual(found([dented], { lat: 2, lng: 1.5 }), [])
    assert.deepStrictEqual(found([dented], { lat: 2, lng: 0.5 }), ["u"])
  })
})

describe("airports", () => {
  const cdg = zone("cdg", { kind: "airport", airport: "CDG", lat: 49.0097, lng: 2.5479, radius_m: 4000 })
  const region = circle("region", 48.85, 2.35, 60_000)
  it("a place at an airport, by its code, its circle or its postal code, is in the airport's zone before any other", () => {
    const lhr = zone("lhr", { kind: "airport", airport: "LHR", prefixes: ["TW6"] })
    const terminal = circle("terminal", 49.0097, 2.5479, 100)
    assert.deepStrictEqual(found([region, terminal, cdg], { lat: 49.0097, lng: 2.5479 }), [
      "cdg",
      "terminal",
      "region"
    ])
    assert.deepStrictEqual(found([lhr], { airport: "LHR" }), ["lhr"])
    assert.deepStrictEqual(
      found([zone("tw", { kind: "postal", prefixes: ["TW6 1"] }), lhr], { postal_code: "TW6 1QG" }),
      ["lhr", "tw"]
    )
    assert.deepStrictEqual(found([lhr], { airport: "LGW" }), [])
  })

  it("a place without coordinates has those of the airport that it names", () => {
    assert.deepStrictEqual(found([region, cdg], { airport: "CDG" }), ["cdg", "region"])
    const { zones } = compiled({ zones: [cdg] })
    assert.deepStrictEqual(zones.locate(place({ airport: "CDG" })), { lat: 49.0097, lng: 2.5479 })
    assert.deepStrictEqual(zones.locate(place({ airport: "CDG", lat: 1, lng: 2 })), { lat: 1, lng: 2 })
    assert.isNull(zones.locate(place({ airport: "ORY" })))
  })
})

describe("overlapping zones", () => {
  it("the most specific zone comes first: an airport, the smaller area, the longer postal prefix, then the order", () => {
    const zones = [
      zone("postal", { kind: "postal", prefixes: ["8001"] }),
      circle("large", 47, 8, 20_000),
      polygon("small", [46.99, 7.99], [46.99, 8.01], [47.01, 8.01], [47.01, 7.99]),
      circle("twin", 47, 8, 20_000)
    ]
    assert.deepStrictEqual(found(zones, { lat: 47, lng: 8, postal_code: "8001" }), [
      "small",
      "large",
      "twin",
      "postal"
    ])
  })

  it("a place without coordinates is only in postal zones, and an unknown place is in none", () => {
    const zones = [circle("c", 0, 0, 1000), zone("p", { kind: "postal", prefixes: ["0"] })]
    assert.deepStrictEqual(found(zones, { postal_code: "01" }), ["p"])
    assert.deepStrictEqual(found(zones, { lat: 0 }), [])
    assert.deepStrictEqual(found(zones, nowhere), [])
  })
})

const between = (minimum: number, maximum: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum, maximum }))

it.prop(
  "a circle contains exactly the points that are at most its radius from its centre",
  {
    lat: between(-80, 80),
    lng: between(-180, 180),
    north: between(-4, 4),
    east: between(-4, 4),
    radius: between(1000, 500_000)
  },
  ({ east, lat, lng, north, radius }) => {
    const [toLat, toLng] = [lat + north, ((lng + east + 540) % 360) - 180]
    // The law of cosines, an independent formula, is precise to a few metres at these distances.
    const rad = Math.PI / 180
    const cosine =
      Math.sin(lat * rad) * Math.sin(toLat * rad) +
      Math.cos(lat * rad) * Math.cos(toLat * rad) * Math.cos((toLng - lng) * rad)
    const metres = Math.acos(Math.max(-1, Math.min(1, cosine))) * 6_371_008.8
    if (Math.abs(metres - radius) < 50) return
    const within = found([circle("c", lat, lng, Math.round(radius))], { lat: toLat, lng: toLng }).length === 1
    assert.strictEqual(within, metres < radius)
  },
  { arbitrary: { runs: 500 } }
)
