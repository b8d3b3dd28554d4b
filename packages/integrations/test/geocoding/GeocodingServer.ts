/** A server on loopback with the HTTP API of Photon (`/api`) or of Nominatim (`/search`), which knows two places. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const known = [
  {
    name: "Grand Hotel",
    street: "Lake Road",
    number: "1",
    postcode: "8001",
    city: "Zürich",
    country: "Switzerland",
    lat: 47.3667,
    lng: 8.545
  },
  {
    name: "Airport Terminal 2",
    street: "Airport Road",
    number: "20",
    postcode: "8302",
    city: "Kloten",
    country: "Switzerland",
    lat: 47.4502,
    lng: 8.5618
  }
]

type Known = (typeof known)[number]

const photonFeature = ({ city, country, lat, lng, name, number, postcode, street }: Known) => ({
  type: "Feature",
  properties: {
    osm_type: "N",
    osm_id: 1,
    osm_key: "tourism",
    osm_value: "hotel",
    type: "house",
    countrycode: "CH",
    name,
    street,
    housenumber: number,
    postcode,
    city,
    country
  },
  geometry: { type: "Point", coordinates: [lng, lat] }
})

const nominatimPlace = ({ city, country, lat, lng, name, number, postcode, street }: Known) => ({
  place_id: 1,
  licence: "Data © OpenStreetMap contributors, ODbL 1.0",
  osm_type: "node",
  osm_id: 1,
  lat: String(lat),
  lon: String(lng),
  category: "tourism",
  type: "hotel",
  place_rank: 30,
  importance: 0.1,
  addresstype: "tourism",
  name,
  display_name: `${name}, ${number}, ${street}, ${city}, ${postcode}, ${country}`,
  address: { tourism: name, house_number: number, road: street, city, postcode, country, country_code: "ch" },
  boundingbox: ["47.3", "47.4", "8.5", "8.6"]
})

/** The answer of Photon: the places as GeoJSON, or its refusal of a language that it does not have. */
const photon = (found: ReadonlyArray<Known>, query: URLSearchParams): readonly [number, object] => {
  const language = query.get("lang")
  return language === null || ["default", "en", "de", "fr"].includes(language)
    ? [200, { type: "FeatureCollection", features: found.map(photonFeature) }]
    : [400, { message: "Language is not supported. Supported are: default, de, en, fr" }]
}

/** The server: its address, and the addresses that were asked for. */
export interface GeocodingServer {
  readonly url: string
  readonly asked: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

/** Starts the server. With `fault`, it responds with that status and text. */
export const startGeocodingServer = async (fault?: {
  readonly status: number
  readonly text: string
}): Promise<GeocodingServer> => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    if (fault !== undefined) return response.writeHead(fault.status).end(fault.text)
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    const text = (searchParams.get("q") ?? "").toLowerCase()
    const found = known.filter(({ city, name, street }) =>
      `${name} ${street} ${city}`.toLowerCase().includes(text)
    )
    const [status, body] =
      pathname === "/api" ? photon(found, searchParams) : [200, found.map(nominatimPlace)]
    return response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
