/** The requests and the responses of Photon and Nominatim. */
import type { FoundPlace, PlaceQuery } from "@livery/domain"
import { Option, Schema } from "effect"
import type { GeocodingKind } from "./GeocodingAddress.ts"

/** How many places are asked for. */
const limit = "6"

/** The languages that Photon's public data has; it refuses others. */
const photonLanguages = new Set(["en", "de", "fr"])

/** The address of a search. Parameters that the base address has, such as a key, are kept. */
export const searchAddress = (base: URL, kind: GeocodingKind, { language, near, text }: PlaceQuery): URL => {
  const address = new URL(base)
  const set = (values: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(values)) address.searchParams.set(name, value)
  }
  set({ q: text, limit })
  if (kind === "photon") {
    if (language !== null && photonLanguages.has(language)) set({ lang: language })
    if (near !== null) set({ lat: near.lat.toFixed(4), lon: near.lng.toFixed(4) })
    return address
  }
  set({
    format: "jsonv2",
    addressdetails: "1",
    ...(language === null ? {} : { "accept-language": language })
  })
  if (near !== null) {
    const { lat, lng } = near
    set({ viewbox: [lng - 0.5, lat + 0.5, lng + 0.5, lat - 0.5].map((side) => side.toFixed(4)).join(",") })
  }
  return address
}

const Text = Schema.optionalKey(Schema.NullOr(Schema.String))

const Photon = Schema.fromJsonString(Schema.Struct({ features: Schema.Array(Schema.Unknown) }))

const PhotonFeature = Schema.Struct({
  geometry: Schema.Struct({ coordinates: Schema.Tuple([Schema.Finite, Schema.Finite]) }),
  properties: Schema.Struct({
    name: Text,
    street: Text,
    housenumber: Text,
    postcode: Text,
    city: Text,
    country: Text
  })
})

const Nominatim = Schema.fromJsonString(Schema.Array(Schema.Unknown))

const NominatimPlace = Schema.Struct({
  lat: Schema.NumberFromString.check(Schema.isFinite()),
  lon: Schema.NumberFromString.check(Schema.isFinite()),
  display_name: Schema.String,
  address: Schema.optionalKey(Schema.NullOr(Schema.Struct({ postcode: Text })))
})

const joined = (parts: ReadonlyArray<string | null | undefined>, separator: string) =>
  [...new Set(parts)].filter((part) => part !== null && part !== undefined && part !== "").join(separator)

const isOnEarth = ({ lat, lng }: FoundPlace) => Math.abs(lat) <= 90 && Math.abs(lng) <= 180

/** The longest address that a trip may have. */
const longestName = 500

const usable = (places: ReadonlyArray<FoundPlace>) =>
  places
    .filter((place) => place.name !== "" && isOnEarth(place))
    .map((place) => ({ ...place, name: place.name.slice(0, longestName) }))

const decodePhoton = Schema.decodeUnknownSync(Photon)
const decodeFeature = Schema.decodeUnknownOption(PhotonFeature)
const decodeNominatim = Schema.decodeUnknownSync(Nominatim)
const decodePlace = Schema.decodeUnknownOption(NominatimPlace)

/** The places of a response. Places that cannot be read are left out. It throws if the text is not a response of that service. */
export const placesIn = (kind: GeocodingKind, text: string): ReadonlyArray<FoundPlace> =>
  usable(
    kind === "photon"
      ? decodePhoton(text)
          .features.flatMap((feature) => Option.toArray(decodeFeature(feature)))
          .map(({ geometry: { coordinates }, properties }) => {
            const { city, country, housenumber, name, postcode, street } = properties
            const [lng, lat] = coordinates
            return {
              name: joined(
                [name, joined([street, housenumber], " "), joined([postcode, city], " "), country],
                ", "
              ),
              postal_code: postcode ?? null,
              lat,
              lng
            }
          })
      : decodeNominatim(text)
          .flatMap((place) => Option.toArray(decodePlace(place)))
          .map(({ address, display_name, lat, lon }) => ({
            name: display_name,
            postal_code: address?.postcode ?? null,
            lat,
            lng: lon
          }))
  )
