/** The form of a response that a client accepts: compressed, or only if it has changed. */
import { Effect } from "effect"
import Negotiator from "negotiator"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"

/** The encodings that responses are compressed with. */
export type Encoding = "br" | "gzip"

/**
 * The length in characters from which responses are compressed: a shorter one takes as many packets uncompressed.
 */
const minimumCompressedLength = 2048

const supported: ReadonlyArray<Encoding | "identity"> = ["br", "gzip", "identity"]

/**
 * The encoding for a response of that length, by its request's `Accept-Encoding` (RFC 9110, 12.5.3); undefined for none. A
 * short response is compressed only if the client refuses it otherwise. A client that accepts nothing that is supported
 * gets the response without an encoding, as the RFC permits.
 */
export const encodingOf = (header: string | undefined, length: number): Encoding | undefined => {
  if (header === undefined) return undefined
  const isShort = length < minimumCompressedLength
  // Without these words, no client refuses the response as it is.
  if (isShort && !/identity|\*/iu.test(header)) return undefined
  const negotiator = new Negotiator({ headers: { "accept-encoding": header } })
  const accepted = negotiator.encodings(supported, { preferred: supported })
  const [best] = accepted
  return best === "identity" || (isShort && accepted.includes("identity")) ? undefined : best
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
