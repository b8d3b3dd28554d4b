/** One request and its whole response, in a form in which the responses of two servers can be compared. */
import { request as httpRequest } from "node:http"
import type { Request } from "./Load.ts"

/** A response as it was received. */
export interface Response {
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const agent = { keepAlive: false }

/** Sends one request over a connection of its own. */
export const exchange = (port: number, { body, headers, method, path }: Request): Promise<Response> =>
  new Promise((resolve, reject) => {
    const sent = body === undefined ? headers : { ...headers, "Content-Length": Buffer.byteLength(body) }
    httpRequest({ ...agent, host: "127.0.0.1", port, method, path, headers: sent }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("error", reject)
      response.on("end", () => {
        const found: Record<string, string> = {}
        for (let index = 0; index < response.rawHeaders.length; index += 2) {
          const name = response.rawHeaders[index]?.toLowerCase() ?? ""
          const value = response.rawHeaders[index + 1] ?? ""
          found[name] = name in found ? `${found[name]} | ${value}` : value
        }
        resolve({
          status: response.statusCode ?? 0,
          headers: found,
          body: Buffer.concat(chunks).toString()
        })
      })
    })
      .on("error", reject)
      .end(body)
  })

/** The id and the reference of the trip that a request created. */
export interface Own {
  readonly tripId: string | undefined
  readonly reference: string | undefined
}

/** The {@link Own} of a request that created no trip. */
export const noTrip: Own = { tripId: undefined, reference: undefined }

/** The id and the reference in a response that reports a created trip. */
export const ownOf = ({ body, status }: Response): Own =>
  status === 201
    ? {
        tripId: /"trip_id":(\d+)/u.exec(body)?.[1],
        reference: /"reference":"(TR-[^"]+)"/u.exec(body)?.[1]
      }
    : noTrip

const recentMillis = 60_000
const isRecent = (millis: number) => Math.abs(Date.now() - millis) < recentMillis

/** A text whose parts that differ between requests are replaced: new ids, and times of this minute. */
export const comparable = (text: string, { reference, tripId }: Own): string => {
  const ids = text
    .replaceAll(/\breq_[0-9a-f]{24}\b/gu, "<request id>")
    .replaceAll(/\bevt_[0-9a-f]{32}\b/gu, "<event id>")
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/gu, (time) =>
      isRecent(Date.parse(time)) ? "<now>" : time
    )
    .replaceAll(/("created\\?":)(\d{10})\b/gu, (all, name: string, seconds: string) =>
      isRecent(Number(seconds) * 1000) ? `${name}<now>` : all
    )
  if (tripId === undefined || reference === undefined) return ids
  const code = reference.slice("TR-".length).toLowerCase()
  return ids
    .replaceAll(new RegExp(`("trip_id\\\\?": ?)${tripId}\\b`, "gu"), "$1<trip id>")
    .replaceAll(reference, "<reference>")
    .replaceAll(/(?<="search": ")[^"]*/gu, (words) =>
      // PostgreSQL sorts the words, and the reference is one of them.
      words.replaceAll(code, "<reference>").split(" ").toSorted().join(" ")
    )
}

/** Headers that depend on the connection or the time. */
const ofTheMoment = new Set(["date", "connection", "keep-alive"])

/** A response as text, with sorted headers, whose parts that differ between requests are replaced. */
export const comparableResponse = (response: Response, own: Own): ReadonlyArray<string> => [
  `status: ${response.status}`,
  ...Object.entries(response.headers)
    .filter(([name]) => !ofTheMoment.has(name))
    .map(([name, value]) => comparable(`${name}: ${value}`, own))
    .sort(),
  comparable(response.body, own)
]
