/** What the tests of fares build tariffs and trips from. */
import { type CompiledTariff, compileTariff, type Place, Tariff } from "@livery/domain"
import { Result } from "effect"
import { decoded } from "../support/Decoding.ts"

/** A tariff in euros, decoded. */
export const tariff = (sent: object): Tariff =>
  decoded(Tariff, { name: "T", currency: "EUR", classes: [{ vehicle_class: "sedan" }], ...sent })

/** A tariff, compiled; throws if it is refused. */
export const compiled = (sent: object): CompiledTariff => Result.getOrThrow(compileTariff(tariff(sent), 1))

/** What compiling a tariff refuses: each wrong field as `field issue`. */
export const refused = (sent: object): ReadonlyArray<string> =>
  Result.match(compileTariff(tariff(sent), 1), {
    onSuccess: () => [],
    onFailure: ({ issues }) => issues.map(({ field, issue }) => `${field} ${issue}`)
  })

/** Nowhere in particular. */
export const nowhere: Place = { postal_code: null, lat: null, lng: null, airport: null }

/** A place with some of its fields. */
export const place = (known: Partial<Place>): Place => ({ ...nowhere, ...known })
