import { Predicate } from "effect"

/** A field of an error of a library, if it is a text that is not empty. */
export const textIn = (error: unknown, field: string): string | undefined => {
  const value = Predicate.hasProperty(error, field) ? error[field] : undefined
  return typeof value === "string" && value !== "" ? value : undefined
}
