/** Reads the parameters of a request: form fields with bracketed names. */
import { invalidParameter, missingParameter } from "./StripeFailure.ts"

/** A parameter's value: a text, or the parameters in its brackets. */
type Parameter = string | Parameters

/** The parameters of a request by name. */
export interface Parameters {
  readonly [name: string]: Parameter
}

interface Draft {
  [name: string]: string | Draft
}

/** `items[0][quantity]` becomes `["items", "0", "quantity"]`. */
const segments = (name: string) => name.replaceAll("]", "").split("[")

const put = (into: Draft, path: ReadonlyArray<string>, value: string): void => {
  const [name = "", ...rest] = path
  if (rest.length === 0) {
    into[name] = value
    return
  }
  const inner = into[name]
  const nested: Draft = typeof inner === "object" ? inner : Object.create(null)
  into[name] = nested
  put(nested, rest, value)
}

/** Reads `application/x-www-form-urlencoded` text, which is also the form of a query. */
export const readParameters = (text: string): Parameters => {
  const parameters: Draft = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) put(parameters, segments(name), value)
  return parameters
}

/** Refuses parameters that the operation does not have, as Stripe does. */
export const refuseUnknown = (parameters: Parameters, known: ReadonlyArray<string>): void => {
  // Stripe removed this parameter in its version of 2026-09-30, and refuses it with a code of its own since.
  if (parameters["payment_method_types"] !== undefined)
    throw invalidParameter(
      "payment_method_types",
      "The payment_method_types parameter is no longer supported. Use allowed_payment_method_types instead.",
      "payment_method_types_no_longer_supported"
    )
  const unknown = Object.keys(parameters).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw invalidParameter(unknown, `Received unknown parameter: ${unknown}`, "parameter_unknown")
}

/** The text of a parameter; undefined if it is absent or empty. */
export const textOf = (parameters: Parameters, name: string): string | undefined => {
  const value = parameters[name]
  if (value === undefined || value === "") return undefined
  if (typeof value !== "string") throw invalidParameter(name, "Invalid string")
  return value
}

export const requiredText = (parameters: Parameters, name: string): string => {
  const text = textOf(parameters, name)
  if (text === undefined) throw missingParameter(name)
  return text
}

/** A whole number of at least `minimum`; undefined if the parameter is absent. */
export const integerOf = (parameters: Parameters, name: string, minimum = 0): number | undefined => {
  const text = textOf(parameters, name)
  if (text === undefined) return undefined
  if (!/^-?\d{1,15}$/u.test(text))
    throw invalidParameter(name, `Invalid integer: ${text}`, "parameter_invalid_integer")
  const value = Number(text)
  if (value < minimum)
    throw invalidParameter(
      name,
      `This value must be greater than or equal to ${minimum}.`,
      "parameter_invalid_integer"
    )
  return value
}

export const booleanOf = (parameters: Parameters, name: string): boolean => {
  const text = textOf(parameters, name)
  if (text === undefined || text === "false") return false
  if (text !== "true") throw invalidParameter(name, `Invalid boolean: ${text}`)
  return true
}

/** The parameters in the brackets of a name; none if it is absent. */
export const groupOf = (parameters: Parameters, name: string): Parameters => {
  const value = parameters[name]
  if (value === undefined || value === "") return {}
  if (typeof value === "string") throw invalidParameter(name, "Invalid object")
  return value
}

/** The metadata within Stripe's limits: 50 keys of 40 characters, values of 500 (API reference, page "Metadata"). */
export const metadataOf = (parameters: Parameters): Record<string, string> => {
  const entries = Object.entries(groupOf(parameters, "metadata"))
  if (entries.length > 50) throw invalidParameter("metadata", "You cannot have more than 50 keys.")
  return Object.fromEntries(
    entries.map(([key, value]) => {
      if (typeof value !== "string" || value.length > 500 || key.length > 40)
        throw invalidParameter(`metadata[${key}]`, "Metadata values must be strings of up to 500 characters.")
      return [key, value]
    })
  )
}
