/**
 * The search for trips. The words of a trip come from its reference, the passenger's name, email and phone number, the
 * flight number, both addresses, `external_ref`, `po_number` and `cost_center`. The reference is found with and without the letters that every reference begins
 * with, the phone number by any of its ends.
 */
import { folded } from "../../kernel/search/Folding.ts"
import {
  searchedWords,
  split,
  storedWords,
  wordsOfEmail,
  wordsOfPhone
} from "../../kernel/search/SearchWords.ts"
import type { Trip } from "../trip/Trip.ts"

/** The fields that a trip is found by. */
export type SearchedTrip = Pick<
  Trip,
  | "reference"
  | "customer_name"
  | "customer_email"
  | "customer_phone"
  | "flight_number"
  | "pickup_address"
  | "pickup_postal_code"
  | "dropoff_address"
  | "dropoff_postal_code"
  | "external_ref"
  | "po_number"
  | "cost_center"
>

/**
 * Whether a part of a search is the beginning of a reference. It is searched for as one word, because its first letters
 * alone would match every trip.
 */
const isReference = (part: string) => /^tr-./iu.test(part)

const wordsOfReference = (reference: string) => [
  folded(reference),
  ...split(isReference(reference) ? reference.slice("TR-".length) : reference)
]

/**
 * A flight number in one form: without spaces and punctuation, in upper case, and without zeros after the airline's code.
 * `ba 117`, `BA117` and `BA0117` are the same flight.
 */
export const flightKey = (flightNumber: string): string =>
  flightNumber
    .replaceAll(/[^A-Za-z0-9]/gu, "")
    .toUpperCase()
    .replace(/^([A-Z]{2,3}|[A-Z][0-9]|[0-9][A-Z])0+([0-9])/u, "$1$2")

/** The flight numbers in a search. */
const flights = /(?<![\p{L}\p{N}])(?:[A-Z]{2,3}|[A-Z]\d|\d[A-Z])[ -]?0\d{1,4}[A-Z]?(?![\p{L}\p{N}])/giu

/** People search for a flight with or without the airline's code, and with or without zeros. */
const wordsOfFlight = (flight: string) => {
  const words = split(flight)
  const forms = [words.join(""), folded(flightKey(flight))]
  return [...words, ...forms.flatMap((form) => [form, ...(/\d+[a-z]?$/u.exec(form) ?? [])])]
}

/** A code of another system is found from its beginning on, and by its parts. */
const wordsOfCode = (code: string | null) => (code === null ? [] : [folded(code), ...split(code)])

/** The words that a trip is found by, each once. */
export const tripWordsOf = (trip: SearchedTrip): ReadonlyArray<string> =>
  storedWords([
    ...wordsOfReference(trip.reference),
    ...split(trip.customer_name),
    ...wordsOfEmail(trip.customer_email),
    ...wordsOfPhone(trip.customer_phone),
    ...wordsOfFlight(trip.flight_number ?? ""),
    ...split(trip.pickup_address),
    ...split(trip.pickup_postal_code ?? ""),
    ...split(trip.dropoff_address),
    ...split(trip.dropoff_postal_code ?? ""),
    ...wordsOfCode(trip.external_ref),
    ...wordsOfCode(trip.po_number),
    ...wordsOfCode(trip.cost_center)
  ]).filter((word) => word !== "")

/** The words of a search for trips; see `searchedWords`. */
export const searchedTripWords = (
  search: string,
  country: string | null = null
): ReadonlyArray<ReadonlyArray<string>> =>
  searchedWords(search, {
    isOneWord: isReference,
    alternatives: [search.replaceAll(flights, flightKey)],
    country
  })
