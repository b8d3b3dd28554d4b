/** Which geocoding service is at an address. */

/** The services whose HTTP APIs Livery speaks. */
export type GeocodingKind = "photon" | "nominatim"

/** The service at an address, by the end of its path: `/api` is Photon, `/search` is Nominatim; undefined for another one. */
export const geocodingKindOf = ({ pathname, protocol }: URL): GeocodingKind | undefined => {
  if (!/^https?:$/u.test(protocol)) return undefined
  if (/\/api\/?$/u.test(pathname)) return "photon"
  return /\/search(?:\.php)?\/?$/u.test(pathname) ? "nominatim" : undefined
}
