/** The addresses that open a place in an app for navigation, or on a map. */

interface Place {
  readonly address: string
  readonly lat: number | null
  readonly lng: number | null
}

const pointOf = ({ lat, lng }: Place) => (lat === null || lng === null ? undefined : `${lat},${lng}`)

/** Opens the phone's own app: by `geo:`, or on Apple's devices, which do not know it, by the address of its maps. */
export const navigationAddress = (place: Place): string => {
  const point = pointOf(place)
  const text = encodeURIComponent(place.address)
  if (/iPhone|iPad|Macintosh/u.test(navigator.userAgent))
    return `https://maps.apple.com/?daddr=${point ?? text}&dirflg=d`
  return point === undefined ? `geo:0,0?q=${text}` : `geo:${point}?q=${point}(${text})`
}

/** The way to a place on a map in a browser. */
export const mapAddress = (place: Place): string =>
  `https://www.google.com/maps/dir/?api=1&destination=${encodeURIComponent(pointOf(place) ?? place.address)}`
