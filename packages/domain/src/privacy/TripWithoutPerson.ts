/** A trip without a person. */
import type { Assignment } from "../trips/trip/Assignment.ts"
import { noDetails } from "../trips/trip/TripDetails.ts"
import type { Trip } from "../trips/trip/Trip.ts"
import { mentions } from "./Mentions.ts"
import { digitsOf, type Person } from "./Person.ts"
import { erasedText, hasMention } from "./Redaction.ts"

/** The details that say nothing about a person. */
const keptDetails = ({
  distance_m,
  leg,
  linked_trip_id,
  luggage_count,
  pickup_timezone,
  vehicle_class
}: Trip) => ({
  distance_m,
  leg,
  linked_trip_id,
  luggage_count,
  pickup_timezone,
  vehicle_class
})

/** An assignment without the places of its milestones. */
const withoutPlaces = (assignment: Assignment): Assignment => ({
  ...assignment,
  milestones: assignment.milestones.map((reached) => ({ ...reached, lat: null, lng: null }))
})

/** The contact data of a person in a trip. */
interface ContactOfTrip {
  readonly email: string | null
  readonly phone: string | null
}

const isContact = ({ email, phone }: ContactOfTrip, { emails, phones }: Person) =>
  (email !== null && emails.includes(email.toLowerCase())) ||
  (phone !== null && phones.includes(digitsOf(phone)))

/** Whether the person is the customer of the trip. */
export const isCustomerOf = (trip: Trip, person: Person) =>
  (trip.customer_id !== null && person.customer_ids.includes(trip.customer_id)) ||
  isContact({ email: trip.customer_email, phone: trip.customer_phone }, person)

/** The trip of another customer, without the person. */
const otherTripWithoutPerson = (trip: Trip, person: Person): Trip => {
  const { booker_email: email, booker_phone: phone } = trip
  const booker = { booker_name: null, booker_email: null, booker_phone: null }
  const kept = (text: string) => (mentions(text, person) ? erasedText : text)
  const keptOrNull = (text: string | null) => (text !== null && mentions(text, person) ? null : text)
  return {
    ...trip,
    booker_name: keptOrNull(trip.booker_name),
    ...(isContact({ email, phone }, person) ? booker : {}),
    customer_name: kept(trip.customer_name),
    pickup_address: kept(trip.pickup_address),
    dropoff_address: kept(trip.dropoff_address),
    flight_number: keptOrNull(trip.flight_number),
    terminal: keptOrNull(trip.terminal),
    external_ref: keptOrNull(trip.external_ref),
    group_id: keptOrNull(trip.group_id),
    po_number: keptOrNull(trip.po_number),
    cost_center: keptOrNull(trip.cost_center),
    child_seats: trip.child_seats.map((seat) => ({ ...seat, type: kept(seat.type) })),
    passengers: trip.passengers
      .filter((passenger) => !isContact(passenger, person))
      .map((passenger) => ({ ...passenger, name: kept(passenger.name) })),
    stops: trip.stops.map((stop) => ({
      ...stop,
      address: kept(stop.address),
      contact: keptOrNull(stop.contact)
    })),
    notes: null,
    internal_notes: null,
    special_requirements: null,
    pickup_sign: null,
    metadata: {}
  }
}

/**
 * The trip without the person. If the person is the customer, its ids, times, amounts and states remain. If the person
 * is the booker, a passenger or a contact on the way, or if a text mentions the person, they are removed together with the
 * free texts, and the customer remains. A trip that does not mention the person remains as it is.
 */
export const tripWithoutPerson = (trip: Trip, person: Person): Trip => {
  if (!isCustomerOf(trip, person))
    return hasMention(trip, (text) => mentions(text, person)) ? otherTripWithoutPerson(trip, person) : trip
  return {
    ...trip,
    ...noDetails,
    ...keptDetails(trip),
    drivers: trip.drivers.map(withoutPlaces),
    former_drivers: trip.former_drivers.map(withoutPlaces),
    customer_id: null,
    customer_name: erasedText,
    customer_email: null,
    customer_phone: null,
    pickup_address: erasedText,
    pickup_postal_code: null,
    pickup_lat: null,
    pickup_lng: null,
    dropoff_address: erasedText,
    dropoff_postal_code: null,
    dropoff_lat: null,
    dropoff_lng: null,
    flight_number: null,
    terminal: null,
    notes: null,
    special_requirements: null
  }
}
