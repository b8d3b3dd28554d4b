/** The form of a response that a client accepts: compressed, or only if it has changed. */
import { Effect } from "effect"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The encodings that responses are compressed with. */
export type Encoding = "br" | "gzip"

/**
 * The length in characters from which responses are compressed: a shorter one takes as many packets uncompressed.
 */
export const minimumCompressedLength = 2048

const isAccepted = (header: string, encoding: string): boolean =>
  header.split(",").some((item) => {
    const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase())
    return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/u.test(parameter))
  })

/** The best supported encoding that an `Accept-Encoding` names; undefined if it names none. */
export const encodingOf = (header: string | undefined): Encoding | undefined => {
  if (header === undefined) return undefined
  if (isAccepted(header, "br")) return "br"
  return isAccepted(header, "gzip") ? "gzip" : undefined
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compresses a text outside of the event loop. */
export const compressed = (text: string, encoding: Encoding): Effect.Effect<Uint8Array> =>
  Effect.promise(() =>
    encoding === "gzip" ? zip(text) : brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
  )

/** An entity tag without its weak prefix: proxies that compress a response make its tag weak. */
const opaque = (tag: string) => tag.trim().replace(/^W\//u, "")

/** The tags of an `If-Match` or `If-None-Match`, without weak prefixes. */
export const tagsOf = (header: string): ReadonlyArray<string> => header.split(",").map(opaque)

/** Whether an `If-None-Match` contains the tag of the response. */
export const isUnchanged = (header: string | undefined, etag: string | undefined): boolean => {
  if (header === undefined || etag === undefined) return false
  return header.trim() === "*" || tagsOf(header).includes(opaque(etag))
}
