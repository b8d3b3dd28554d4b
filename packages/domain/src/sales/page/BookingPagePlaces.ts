/** The places that a visitor of a booking page may mean: those of the business's tariff by name, and addresses. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import type { Zone } from "../../fares/rules/Zone.ts"
import { TariffRepository } from "../../fares/tariffs/TariffRepository.ts"
import { traced } from "../../kernel/TracedFunction.ts"
import type { BusinessId } from "../../kernel/Ids.ts"
import type { Point } from "../../routing/Geometry.ts"
import { type FoundPlace, PlaceFinder } from "../../routing/PlaceFinder.ts"
import { makeOpenPage } from "./OpenPage.ts"
import type { PlaceRecord } from "./Place.ts"

/** The most zones that a search returns. */
const maxZones = 20

/** Shorter texts are not looked up. */
const shortestText = 3

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

/** The centre of a zone; null if it has only postal codes. */
const centreOf = ({ lat, lng, points }: Zone): Point | null => {
  if (lat !== null && lng !== null) return { lat, lng }
  if (points.length === 0) return null
  return { lat: mean(points.map((point) => point.lat)), lng: mean(points.map((point) => point.lng)) }
}

const zoneRecord = (zone: Zone): PlaceRecord => {
  const centre = centreOf(zone)
  return {
    name: zone.name,
    is_zone: true,
    airport: zone.airport,
    postal_code: zone.prefixes[0] ?? null,
    lat: centre?.lat ?? null,
    lng: centre?.lng ?? null
  }
}

const addressRecord = ({ lat, lng, name, postal_code }: FoundPlace): PlaceRecord => ({
  name,
  is_zone: false,
  airport: null,
  postal_code,
  lat,
  lng
})

/** Letters without case and accents, so that `zurich` finds `Zürich`. */
const plain = (text: string) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase()

const isNamed = ({ airport, name, prefixes }: Zone, text: string) =>
  plain(name).includes(text) ||
  (airport !== null && plain(airport).startsWith(text)) ||
  (text !== "" && prefixes.some((prefix) => plain(prefix).startsWith(text)))

export class BookingPagePlaces extends Context.Service<BookingPagePlaces>()(
  "@livery/domain/BookingPagePlaces",
  {
    make: Effect.gen(function* () {
      const tariffs = yield* TariffRepository
      const find = yield* PlaceFinder
      const open = yield* makeOpenPage

      /** The zones of the tariff that prices visitors' rides. */
      const zonesOf = Effect.fnUntraced(function* (businessId: BusinessId) {
        const latest = Option.getOrUndefined(yield* tariffs.holding(businessId, null, yield* DateTime.now))
        if (latest === undefined) return []
        const content = Option.getOrUndefined(yield* tariffs.content(businessId, latest))
        return content?.zones ?? []
      })

      return {
        /**
         * The zones of the business's tariff that have the text in their name, then the addresses that the geocoding service
         * finds, those near the zones first. `NotFound` for a slug that no active business has.
         */
        search: traced("BookingPagePlaces.search")(function* (
          slug: string,
          { language = null, query = "" }: { readonly query?: string; readonly language?: string | null }
        ) {
          const { acting } = yield* open(slug)
          const text = query.trim()
          const zones = yield* zonesOf(acting.business_id)
          const named = zones.filter((zone) => isNamed(zone, plain(text))).slice(0, maxZones)
          const near = zones.map(centreOf).find((centre) => centre !== null) ?? null
          const found =
            find === undefined || text.length < shortestText ? [] : yield* find({ text, language, near })
          return [...named.map(zoneRecord), ...found.map(addressRecord)]
        })
      }
    })
  }
) {
  static readonly layer = Layer.effect(BookingPagePlaces, BookingPagePlaces.make)
}
