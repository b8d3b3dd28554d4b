/**
 * The words of the tracking page. `phases` has the headline and the next step of each phase; the next step of a moving car
 * is its arrival.
 */
import type { Phase } from "../Trip.ts"
import shared, { type SharedWords } from "../../words/en.ts"

/** The words of the tracking page. */
export interface TrackWords extends SharedWords, Readonly<Record<Name, string>> {
  readonly phases: Readonly<Record<Phase, readonly [headline: string, next: string]>>
  readonly classes: Readonly<Record<VehicleClass, string>>
}

type Name =
  | "title"
  | "pickup"
  | "dropoff"
  | "map"
  | "fit"
  | "pickupTime"
  | "carAndDriver"
  | "car"
  | "driver"
  | "plate"
  | "call"
  | "share"
  | "arrives"
  | "destinationIn"
  | "noPosition"
  | "position"
  | "goneHelp"
  | "pin"
  | "pinHelp"

type VehicleClass = "sedan" | "suv" | "van" | "minibus" | "bus" | "limousine" | "other"

const words: TrackWords = {
  ...shared,
  title: "Your ride",
  pickup: "Pickup",
  dropoff: "Destination",
  map: "Map of the ride",
  fit: "Show the whole ride",
  pickupTime: "Pickup",
  carAndDriver: "Car and driver",
  car: "Car",
  driver: "Driver",
  plate: "Number plate",
  call: "Call the office",
  share: "Share this page",
  arrives: "Arrives in about {time}",
  destinationIn: "At the destination in about {time}",
  noPosition: "The position will appear here in a moment.",
  position: "Position updated {age}",
  goneHelp: "Tracking ends an hour after the ride. Please ask the office for a new link.",
  pin: "Your code",
  pinHelp: "Tell the driver this code when you get in.",
  phases: {
    unconfirmed: ["Your ride is not confirmed yet", "You will get a message as soon as it is."],
    booked: ["Your ride is booked", "Your driver and car will appear here before the pickup."],
    assigned: ["Your driver is ready", "As soon as they set out, you will see the car on the map."],
    coming: ["Your driver is on the way", ""],
    arrived: ["Your driver has arrived", "Please come to the car."],
    onBoard: ["The ride is under way", ""],
    noShow: ["Your driver did not meet you", "Please call the office."],
    over: ["This ride is over", "Thank you for riding with us."],
    cancelled: ["This ride was cancelled", "If you did not expect this, please call the office."]
  },
  classes: {
    sedan: "Sedan",
    suv: "SUV",
    van: "Van",
    minibus: "Minibus",
    bus: "Bus",
    limousine: "Limousine",
    other: ""
  }
}
export default words
