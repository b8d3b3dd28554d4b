/** The words of the booking page. The other languages have the same keys. */
import shared, { type SharedWords } from "../../words/en.ts"
import type { VehicleClass } from "../Business.ts"

const words = {
  ...shared,
  title: "Book a ride",
  choose: "What would you like to book?",
  ride: "A ride",
  kind: "Kind of ride",
  transfer: "From place to place",
  hourly: "By the hour",
  from: "From",
  to: "To",
  fromCode: "Postal code or airport at the start",
  toCode: "Postal code or airport at the destination",
  codeHint: "Gives the price, for example 8001 or ZRH",
  date: "Date",
  time: "Time",
  hours: "Hours",
  passengers: "Passengers",
  luggage: "Pieces of luggage",
  childSeats: "Child seats",
  flight: "Flight number (optional)",
  car: "Car",
  price: "Price",
  priceUntil: "Prices valid until {time}",
  pricing: "Looking up the prices …",
  enterRide: "Enter places, date and time to see the prices.",
  noPrice: "There is no fixed price for this ride. Ask for an offer, and the office answers by email.",
  onRequest: "On request",
  tooLate: "Too late to book",
  tooManyPassengers: "Not enough seats",
  tooMuchLuggage: "Too little room for the luggage",
  closedThen: "No ride can be booked at this time. Please choose another time, or ask for an offer.",
  lead: "Please book at least {time} ahead.",
  classLead: "{car}: at least {time} ahead.",
  open: "Rides start at these times:",
  closed: "No rides on these days:",
  manual: "For rides that start in less than {time}, the office makes an offer.",
  contact: "Your details",
  name: "Name",
  email: "Email",
  phone: "Phone (optional)",
  sign: "Name on the driver’s sign (optional)",
  notes: "Notes (optional)",
  showPrice: "Show the price",
  book: "Book for {price}",
  bookNow: "Book",
  request: "Ask for an offer",
  priceGone:
    "This price can no longer be used. If you have received a confirmation, the ride is booked. Otherwise check the current price and book again.",
  placesGone:
    "There are not enough places at this time, or the price has changed. Choose another time or fewer people, then book again.",
  people: "Number of people",
  departure: "Departure",
  departuresFrom: "Departures from",
  placesLeft: "Places left: {count}",
  full: "Fully booked",
  noDepartures: "There are no departures in the month from this day.",
  moreDepartures: "Show more departures",
  perPerson: "{price} per person",
  perBooking: "{price} in total",
  lasts: "Duration",
  bookedTitle: "Your ride is booked",
  bookedNext: "Please keep the reference. The office needs it if you have a question.",
  pendingTitle: "We have received your booking",
  pendingNext: "{business} will confirm it. Please keep the reference.",
  requestedTitle: "We have received your request",
  requestedNext: "{business} will send you an offer by email.",
  reference: "Reference",
  when: "Start",
  offer: "Offer",
  heldUntil: "Held until",
  calendar: "Save to calendar",
  follow: "Follow the ride",
  wayBack: "Book the way back",
  another: "Book another ride",
  call: "Call the office",
  withBack: "With the way back",
  backDate: "Date of the way back",
  backTime: "Time of the way back",
  there: "Way there",
  backWay: "Way back",
  bothWays: "Both ways:",
  backTooEarly: "The way back has to start after the way there.",
  unknown: "It is not known whether it is booked. Try again to find out: nothing is booked twice.",
  backMissing: "The way back could not be booked. Please book it again, or call the office.",
  pay: "Pay now",
  found: "Suggested places: {count}",
  suggestions: "Suggested places",
  goneHelp: "Please check the address, or ask the business for it.",
  seats: {
    infant: "Infants",
    child: "Children",
    booster: "Booster seats"
  },
  classes: {
    sedan: "Sedan",
    suv: "SUV",
    van: "Van",
    minibus: "Minibus",
    bus: "Bus",
    limousine: "Limousine",
    other: "Other car"
  }
}

type Name = Exclude<keyof typeof words, keyof SharedWords | "classes" | "seats">

/** The words of the booking page. */
export interface BookWords extends SharedWords, Readonly<Record<Name, string>> {
  readonly classes: Readonly<Record<VehicleClass, string>>
  readonly seats: Readonly<Record<keyof (typeof words)["seats"], string>>
}

export default words as BookWords
