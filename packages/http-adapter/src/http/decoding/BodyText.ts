/** The text of a body. JSON is UTF-8 (RFC 8259, 8.1); other bytes would be stored as replacement characters. */
import { MalformedRequest } from "@livery/contract"

// It drops a byte order mark, as Effect's reader does.
const decoder = new TextDecoder("utf-8", { fatal: true })

/** The text of a body; undefined if it is not UTF-8. */
export const textOfBody = (body: NodeJS.ArrayBufferView | ArrayBuffer): string | undefined => {
  try {
    return decoder.decode(body)
  } catch {
    return undefined
  }
}

/** The refusal of a body that is not UTF-8. */
export const notUtf8 = () => new MalformedRequest({ reason: "The request body is not valid UTF-8" })
