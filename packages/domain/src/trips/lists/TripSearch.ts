/**
 * The search for trips. The words of a trip come from its reference, the passenger's name, email and phone number, the
 * flight number and both addresses. The reference is found with and without the letters that every reference begins
 * with, the phone number by any of its ends.
 */
import {
  folded,
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

/** People write a flight number with a space or without, and search for it with or without the airline's letters. */
const wordsOfFlight = (flight: string) => {
  const words = split(flight)
  const joined = words.join("")
  return [joined, ...words, ...(/\d.*$/u.exec(joined) ?? [])]
}

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
    ...split(trip.dropoff_postal_code ?? "")
  ]).filter((word) => word !== "")

/** The words of a search for trips; see `searchedWords`. */
export const searchedTripWords = (search: string): ReadonlyArray<ReadonlyArray<string>> =>
  searchedWords(search, isReference)
