/**
 * The code of four digits that a passenger tells the driver, so that nobody gets into the wrong car (docs/pages.md). It is a
 * part of the digest of the tracking link's token: it is random, never changes while the link is valid, and neither drivers
 * nor their apps ever get anything that it follows from.
 */
import type { TrackedTrip } from "./TrackedTrip.ts"

const digits = 4

/** The code of a trip; null if its business asks for none, or the trip has no tracking link, whose page shows the code. */
export const pickupPinOf = ({
  asks_pin,
  link_hash
}: Pick<TrackedTrip, "asks_pin" | "link_hash">): string | null =>
  asks_pin && link_hash !== null
    ? String(Number.parseInt(link_hash.slice(0, 12), 16) % 10 ** digits).padStart(digits, "0")
    : null
