/** The kinds of cars. Cars have one, and trips and fares refer to one. */
import { Schema } from "effect"

/** The kind of a car. */
export const VehicleClass = Schema.Literals(["sedan", "suv", "van", "minibus", "bus", "limousine", "other"])
export type VehicleClass = typeof VehicleClass.Type
