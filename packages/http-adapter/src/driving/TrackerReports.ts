/**
 * The requests of apps that report positions while a phone is locked (docs/pages.md): Traccar Client and others that use the
 * form of OsmAnd, and OwnTracks. An app repeats a refused request before it sends anything else. So a request without a
 * position is not refused.
 */
import { Cause, Effect, Exit, Option, Predicate, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { fieldIssues, InvalidInput, LocationBatchInput, type LocationInput } from "@livery/domain"
import type { MalformedRequest } from "@livery/contract"
import { isWithinBounds, structureRefusal } from "../http/decoding/BodyStructure.ts"
import { notUtf8 } from "../http/decoding/BodyText.ts"
import { duplicateFields } from "../http/decoding/DuplicateFields.ts"
import { duplicatedFields, unreadableBody } from "../http/decoding/Refusals.ts"
import { bodyTextOf } from "../http/decoding/SmallBody.ts"
import { headerOf } from "../http/request/IncomingRequest.ts"
import { queryOf } from "../http/request/Query.ts"

type Sent = Readonly<Record<string, unknown>>

/** How an app writes a position: the names of the fields, and its unit of speed in metres per second. */
interface Form {
  readonly names: Readonly<Record<keyof LocationInput, string>>
  readonly speedUnit: number
}

const osmAnd: Form = {
  names: {
    lat: "lat",
    lng: "lon",
    accuracy: "accuracy",
    heading: "bearing",
    speed: "speed",
    recorded_at: "timestamp"
  },
  // Knots.
  speedUnit: 1852 / 3600
}

const traccar: Form = {
  names: {
    lat: "latitude",
    lng: "longitude",
    accuracy: "accuracy",
    heading: "heading",
    speed: "speed",
    recorded_at: "timestamp"
  },
  speedUnit: 1
}

const ownTracks: Form = {
  names: { lat: "lat", lng: "lon", accuracy: "acc", heading: "cog", speed: "vel", recorded_at: "tst" },
  // Kilometres an hour.
  speedUnit: 1000 / 3600
}

const numberOf = (sent: unknown): unknown => {
  if (typeof sent !== "string") return sent
  return sent.trim() === "" || Number.isNaN(Number(sent)) ? sent : Number(sent)
}

/** Numbers above this are milliseconds since 1970, others are seconds. */
const mostSeconds = 1e11

/** The latest time of JavaScript, in milliseconds since 1970. */
const mostMilliseconds = 8.64e15

const timeOf = (sent: unknown): unknown => {
  const number = numberOf(sent)
  if (typeof number !== "number") return sent
  const milliseconds = number > mostSeconds ? number : number * 1000
  return Math.abs(milliseconds) <= mostMilliseconds ? new Date(milliseconds).toISOString() : String(number)
}

/** The position that an app sent in that form, as a report of Livery's own, not yet checked. */
const reportIn = ({ names, speedUnit }: Form, sent: Sent) => {
  const speed = numberOf(sent[names.speed])
  const report = {
    lat: numberOf(sent[names.lat]),
    lng: numberOf(sent[names.lng]),
    accuracy: numberOf(sent[names.accuracy]),
    heading: numberOf(sent[names.heading]),
    speed: typeof speed === "number" ? speed * speedUnit : speed,
    recorded_at: timeOf(sent[names.recorded_at])
  }
  return Object.fromEntries(Object.entries(report).filter(([, value]) => value !== undefined))
}

const decode = Schema.decodeUnknownExit(LocationBatchInput, { errors: "all" })

/** The checked positions. A refusal names the fields as the app does. */
const positionsIn = (
  form: Form,
  sent: ReadonlyArray<Sent>
): Effect.Effect<ReadonlyArray<LocationInput>, InvalidInput> => {
  const decoded = decode({ locations: sent.map((one) => reportIn(form, one)) })
  if (Exit.isSuccess(decoded)) return Effect.succeed(decoded.value.locations)
  const error = Cause.findErrorOption(decoded.cause)
  if (Option.isNone(error)) return Exit.failCause(decoded.cause as Cause.Cause<never>)
  const names: Readonly<Record<string, string>> = form.names
  const issues = fieldIssues(error.value.issue).map((issue) => {
    const field = issue.field.replace(/^locations\.\d+\./u, "")
    return { ...issue, field: names[field] ?? field }
  })
  return Effect.fail(new InvalidInput({ issues }))
}

const none = Effect.succeed<ReadonlyArray<LocationInput>>([])

const isObject = (value: unknown): value is Sent => Predicate.isObject(value) && !Array.isArray(value)

/** The position in the parameters of a request. Apps also send requests without one, for example to report an event. */
const inParameters = (sent: Sent) =>
  sent["lat"] === undefined && sent["lon"] === undefined ? none : positionsIn(osmAnd, [sent])

/** The fields of one position of Traccar Client on one level. */
const flat = (location: unknown): Sent => {
  if (!isObject(location)) return {}
  const { coords, timestamp } = location
  return { ...(isObject(coords) ? coords : {}), ...(timestamp === undefined ? {} : { timestamp }) }
}

const inJson = (body: unknown) => {
  if (!isObject(body)) return Effect.fail(unreadableBody())
  const { _type: type, location } = body
  if (location !== undefined) return positionsIn(traccar, [location].flat().map(flat))
  if (type === undefined)
    return Effect.fail(new InvalidInput({ issues: [{ field: "location", issue: "required" }] }))
  return type === "location" ? positionsIn(ownTracks, [body]) : none
}

/** The positions in a request of a tracker, of which there may be none. */
export const trackerPositions = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest
): Effect.fn.Return<ReadonlyArray<LocationInput>, InvalidInput | MalformedRequest> {
  const text = yield* bodyTextOf(request)
  if (text === undefined) return yield* notUtf8()
  if (text === "") return yield* inParameters(queryOf(request.url))
  if (headerOf(request, "content-type")?.startsWith("application/x-www-form-urlencoded") === true)
    return yield* inParameters(queryOf(`?${text}`))
  if (!isWithinBounds(text)) return yield* structureRefusal()
  const body = yield* Effect.try({ try: (): unknown => JSON.parse(text), catch: () => unreadableBody() })
  const duplicates = duplicateFields(text)
  if (duplicates.length > 0) return yield* duplicatedFields(duplicates)
  return yield* inJson(body)
})
