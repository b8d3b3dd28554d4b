/** The zones of a tariff: postal codes, circles, polygons and airports. */
import { Schema } from "effect"
import { oneOf } from "../../kernel/fields/OneOf.ts"
import { between, check } from "../../kernel/fields/FieldIssue.ts"
import { orNull } from "../../kernel/fields/Optional.ts"
import { AirportCode } from "../../kernel/fields/AirportCode.ts"
import { text, trimming } from "../../kernel/fields/Text.ts"
import { Latitude, Longitude } from "../../kernel/fields/Coordinates.ts"
import { polygon } from "../../routing/Geometry.ts"
import { listOf, RuleId } from "./TariffFields.ts"

/** The kinds of zones. */
const ZoneKind = Schema.Literals(["postal", "circle", "polygon", "airport"])
type ZoneKind = typeof ZoneKind.Type

/** A postal code normalised for comparison: in capitals, without spaces and hyphens. */
export const plainPostalCode = (code: string): string => code.toUpperCase().replaceAll(/[\s-]/gu, "")

const PostalPrefix = Schema.String.check(
  check<string>("invalid", (prefix) => /^[A-Z0-9]{1,20}$/u.test(plainPostalCode(prefix)))
).pipe(Schema.decodeTo(Schema.String, trimming))

const Corner = Schema.Struct({ lat: Latitude, lng: Longitude })

/** The largest radius of a zone, in metres. */
const largestRadius = 500_000

const Radius = Schema.Int.check(between(1, largestRadius))

/**
 * A zone. The kind decides which fields it needs. `postal`: `prefixes`. `circle`: its centre (`lat`, `lng`) and
 * `radius_m`. `polygon`: `points`. `airport`: its `airport` code, a circle, `prefixes`, or several of these.
 */
export const Zone = Schema.Struct({
  id: RuleId,
  name: text(100),
  kind: oneOf(ZoneKind),
  prefixes: listOf(PostalPrefix, 200),
  lat: orNull(Latitude),
  lng: orNull(Longitude),
  radius_m: orNull(Radius),
  points: listOf(Corner, 100),
  airport: orNull(AirportCode)
})
export type Zone = typeof Zone.Type

/** The fields that the zone's kind requires and that are missing or invalid, each with its issue. */
export const zoneIssues = (
  zone: Zone
): ReadonlyArray<readonly [field: string, issue: "required" | "invalid"]> => {
  const missing = (["lat", "lng", "radius_m"] as const).filter((field) => zone[field] === null)
  const circleIssues = missing.map((field) => [field, "required"] as const)
  switch (zone.kind) {
    case "postal":
      return zone.prefixes.length === 0 ? [["prefixes", "required"]] : []
    case "circle":
      return circleIssues
    case "polygon":
      if (zone.points.length === 0) return [["points", "required"]]
      // A polygon of less than a square metre is a line that was drawn twice.
      return polygon(zone.points).area < 1 ? [["points", "invalid"]] : []
    case "airport":
      if (missing.length > 0 && missing.length < 3) return circleIssues
      return missing.length === 3 && zone.airport === null && zone.prefixes.length === 0
        ? [["airport", "required"]]
        : []
  }
}
