/** The words by which a trip is found, as PostgreSQL's `tsvector`. */

const folded = (text) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

const split = (text) =>
  folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")

const ofReference = (reference) => [folded(reference), ...split(reference.slice("TR-".length))]

const ofEmail = (email) => (email === null ? [] : [...split(email), folded(email)])

/** Every end of a phone number of at least three digits. */
const ofPhone = (phone) => {
  const digits = (phone ?? "").replaceAll(/\D/gu, "").slice(-15)
  return Array.from({ length: Math.max(digits.length - 2, 0) }, (_, start) => digits.slice(start))
}

/** A flight number with its letters and without them. */
const ofFlight = (flight) => {
  const words = split(flight ?? "")
  const joined = words.join("")
  return [joined, ...words, ...(/\d.*$/u.exec(joined) ?? [])]
}

/** The words of a row of `trips`, each once and behind the id of its business. */
export const searchOf = (row) => {
  const words = new Set([
    ...ofReference(row.reference),
    ...split(row.customer_name),
    ...ofEmail(row.customer_email),
    ...ofPhone(row.customer_phone),
    ...ofFlight(row.flight_number),
    ...split(row.pickup_address),
    ...split(row.pickup_postal_code ?? ""),
    ...split(row.dropoff_address),
    ...split(row.dropoff_postal_code ?? "")
  ])
  words.delete("")
  return [...words]
    .map((word) => `'${row.business_id}:${word.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`)
    .join(" ")
}
