/** The sentence about a class that has no fare. */
import type { VehicleClass } from "../../kernel/VehicleClass.ts"
import type { NoFareCause } from "../engine/ClassFare.ts"

/** Why a trip has no fare in a class, and what the caller can do about it. */
const advice: Readonly<Record<NoFareCause, string>> = {
  no_class:
    "the tariff has no prices for this class. Add the class to the tariff, or choose one of its classes",
  no_price: "no rule of the tariff prices this trip. Add one to the tariff, or choose another class",
  distance_unknown: "the distance of the trip is unknown. Add its coordinates or distance_m",
  duration_unknown: "the duration of the trip is unknown. Add its duration_minutes",
  too_many_passengers: "the class has too few seats. Choose a larger class",
  too_much_luggage: "the class has too little room for the luggage. Choose a larger class",
  amount_too_large: "the fare exceeds the largest amount. Check the prices of the tariff"
}

/** Why a class has no fare, and which `classes` have one. */
export const noFareText = (
  vehicleClass: VehicleClass,
  classes: ReadonlyArray<VehicleClass>,
  causes: ReadonlyArray<NoFareCause>
): string => {
  const others = classes.length === 0 ? "" : ` (with a fare: ${classes.join(", ")})`
  return `No fare in class ${vehicleClass}${others}: ${[...new Set(causes)].map((cause) => advice[cause]).join("; ")}`
}
