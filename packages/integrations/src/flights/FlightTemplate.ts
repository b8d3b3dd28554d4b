/** A service of flight status by a template: the request, and where its response has each field. */
import type { FlightQuery, FlightReport, FlightState } from "@livery/domain"
import { DateTime, Option, Schema } from "effect"

/** The fields of a report, each with the places of the response where it may be. */
const fieldNames = ["state", "scheduled", "estimated", "landed", "terminal", "gate"] as const

/** The name of a field that the template gives a place. */
export type FlightFieldName = (typeof fieldNames)[number]

/**
 * A template. In `url` and the values of `headers`, `{flight}` stands for the whole number, `{airline}` and `{number}` for its
 * parts, `{date}` for the day, and `{secret}` for the secret. `list` is the path to the flights in the response, empty if it is
 * the flights. A path has names and numbers with dots between them: `arrival.times.0.utc`; several are separated by `|`, and
 * the first that has a value counts.
 */
export interface FlightTemplate {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly list: string
  readonly fields: Readonly<Partial<Record<FlightFieldName, string>>>
}

/** The fields of a template, as JSON: `{"list":"flights","scheduled":"scheduled_in", …}`. */
export const FlightFields = Schema.fromJsonString(
  Schema.Struct({
    list: Schema.optionalKey(Schema.String),
    scheduled: Schema.String,
    estimated: Schema.optionalKey(Schema.String),
    landed: Schema.optionalKey(Schema.String),
    state: Schema.optionalKey(Schema.String),
    terminal: Schema.optionalKey(Schema.String),
    gate: Schema.optionalKey(Schema.String)
  })
)

/** The headers of a template, as JSON. */
export const FlightHeaders = Schema.fromJsonString(Schema.Record(Schema.String, Schema.String))

/** The text of a template for a query. The values are encoded as parts of a URL if `encode` says so. */
export const filledTemplate = (
  template: string,
  { day, flight }: FlightQuery,
  secret: string,
  encode: (value: string) => string = (value) => value
): string => {
  const [, airline = "", number = ""] = /^([A-Z]{2,3}|[A-Z]\d|\d[A-Z])(\d+[A-Z]?)$/u.exec(flight) ?? []
  const values: Readonly<Record<string, string>> = { flight, airline, number, date: day, secret }
  return template.replaceAll(/\{(flight|airline|number|date|secret)\}/gu, (_, name: string) =>
    encode(values[name] ?? "")
  )
}

/** The value at a path; undefined if there is none. */
const valueAt = (value: unknown, path: string): unknown =>
  path === ""
    ? value
    : path
        .split(".")
        .reduce<unknown>(
          (inner, name) =>
            typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
              ? (inner as Readonly<Record<string, unknown>>)[name]
              : undefined,
          value
        )

/** A time: an instant with its offset, or the seconds since 1970. Local times without an offset are not understood. */
const timeOf = (value: unknown): DateTime.Utc | null => {
  if (typeof value === "number") return Option.getOrNull(DateTime.make(value * 1000))
  if (typeof value !== "string" || !/\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/iu.test(value)) return null
  return Option.getOrNull(Option.map(DateTime.make(value.trim().replace(" ", "T")), DateTime.toUtc))
}

const textOf = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value).trim().slice(0, 50) || null : null

const words: ReadonlyArray<readonly [RegExp, FlightState]> = [
  [/cancel/iu, "cancelled"],
  [/divert|redirect/iu, "diverted"],
  [/land|arrived|on.?block/iu, "landed"],
  [/active|en.?route|depart|airborne|expected|approach/iu, "active"]
]

const stateOf = (said: unknown, landed: DateTime.Utc | null): FlightState => {
  if (landed !== null) return "landed"
  if (said === true) return "cancelled"
  return words.find(([word]) => word.test(textOf(said) ?? ""))?.[1] ?? "scheduled"
}

/** The flights in a response; undefined if the list is not where the template says. */
export const reportsIn = (
  body: unknown,
  { fields, list }: FlightTemplate
): ReadonlyArray<FlightReport> | undefined => {
  const found = valueAt(body, list)
  if (!Array.isArray(found)) return undefined
  return found.map((item: unknown): FlightReport => {
    const at = (name: FlightFieldName): unknown =>
      (fields[name] ?? "")
        .split("|")
        .map((path) => (path.trim() === "" ? undefined : valueAt(item, path.trim())))
        .find((value) => value !== undefined && value !== null && value !== "" && value !== false)
    const landed = timeOf(at("landed"))
    return {
      state: stateOf(at("state"), landed),
      scheduled: timeOf(at("scheduled")),
      estimated: timeOf(at("estimated")),
      landed,
      terminal: textOf(at("terminal")),
      gate: textOf(at("gate"))
    }
  })
}
