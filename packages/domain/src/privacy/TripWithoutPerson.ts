/** A trip without a person. */
import type { Field, Fields } from "../kernel/fields/Field.ts"
import { erasedOf, erasedValueOf, personOf } from "../kernel/fields/Personal.ts"
import type { Assignment } from "../trips/trip/Assignment.ts"
import { erasedMilestone } from "../trips/trip/Milestone.ts"
import { type Trip, tripFields } from "../trips/trip/Trip.ts"
import { mentions } from "./Mentions.ts"
import { isPhoneOf, type Person } from "./Person.ts"
import { hasMention } from "./Redaction.ts"

const erasedTrip = erasedOf(tripFields)

/** An assignment without the driver's reason, which may mention anyone. */
const withoutReason = (assignment: Assignment): Assignment => ({ ...assignment, decline_reason: null })

/** An assignment without the personal data of its milestones and the driver's reason. */
const withoutPlaces = (assignment: Assignment): Assignment => ({
  ...withoutReason(assignment),
  milestones: assignment.milestones.map((reached) => ({ ...reached, ...erasedMilestone }))
})

/** The contact data of a person in a trip. */
interface ContactOfTrip {
  readonly email: string | null
  readonly phone: string | null
}

const isContact = ({ email, phone }: ContactOfTrip, person: Person) =>
  (email !== null && person.emails.includes(email.toLowerCase())) ||
  (phone !== null && isPhoneOf(phone, person))

/** Whether the person is the customer of the trip. */
export const isCustomerOf = (trip: Trip, person: Person) =>
  (trip.customer_id !== null && person.customer_ids.includes(trip.customer_id)) ||
  isContact({ email: trip.customer_email, phone: trip.customer_phone }, person)

/**
 * The fields of a record without the person: a text that mentions the person, a free text about anyone, and the fields for
 * which `isErased` holds.
 */
const withoutMentions = <A extends object>(
  fields: Fields,
  record: A,
  person: Person,
  isErased: (field: Field) => boolean = () => false
): A => {
  const isMention = (text: string) => mentions(text, person)
  const without = (field: Field | undefined, value: unknown): unknown => {
    if (field === undefined || personOf(field) === "nobody") return value
    if (personOf(field) === "anyone" || isErased(field)) return erasedValueOf(field)
    const { itemFields } = field
    if (itemFields !== undefined && Array.isArray(value))
      return value.map((item: object) => withoutMentions(itemFields, item, person))
    return hasMention(value, isMention) ? erasedValueOf(field) : value
  }
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, without(fields[name], value)])
  ) as A
}

/** The trip of another customer, without the person. */
const otherTripWithoutPerson = (trip: Trip, person: Person): Trip => {
  const { booker_email: email, booker_phone: phone } = trip
  const isBooker = isContact({ email, phone }, person)
  const passengers = trip.passengers.filter((passenger) => !isContact(passenger, person))
  const former_drivers = trip.former_drivers.map(withoutReason)
  return withoutMentions(
    tripFields,
    { ...trip, passengers, former_drivers },
    person,
    (field) => isBooker && personOf(field) === "booker"
  )
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
    ...erasedTrip,
    customer_id: null,
    drivers: trip.drivers.map(withoutPlaces),
    former_drivers: trip.former_drivers.map(withoutPlaces)
  }
}
