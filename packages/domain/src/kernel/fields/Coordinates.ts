/** Coordinates of places. */
import { Schema } from "effect"
import { check } from "./FieldIssue.ts"

const degrees = (limit: number) =>
  Schema.Finite.check(
    check<number>("out_of_range", (value) => Math.abs(value) <= limit, { minimum: -limit, maximum: limit })
  )

/** A latitude in degrees. */
export const Latitude = degrees(90)

/** A longitude in degrees. */
export const Longitude = degrees(180)
