/**
 * Limits on the structure of a JSON body, checked on its text. `JSON.parse` blocks the event loop for some tens of
 * milliseconds on a body of permitted size that consists mostly of brackets or field names.
 */
import { MalformedRequest } from "@livery/contract"

/** The deepest nesting of a body. Within it, the decoding names every wrong field. */
export const maxDepth = 20_000

/** The most fields of a body, counted over all of its objects. A full batch of locations has 3,500. */
export const maxFields = 20_000

/** A body up to this length is cheap to parse, so it is not checked. */
const uncheckedLength = 16_384

/** The position of the quote that ends a string. */
export const endOfString = (text: string, start: number): number => {
  let end = text.indexOf('"', start)
  while (end !== -1) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1
    if (backslashes % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}

/** Whether a JSON text is within the limits. The result is meaningless for text that is not JSON. */
export const isWithinBounds = (text: string): boolean => {
  if (text.length <= uncheckedLength) return true
  let depth = 0
  let fields = 0
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at + 1)
        break
      case 0x3a:
        fields += 1
        if (fields > maxFields) return false
        break
      case 0x5b:
      case 0x7b:
        depth += 1
        if (depth > maxDepth) return false
        break
      case 0x5d:
      case 0x7d:
        depth -= 1
        break
      default:
    }
  }
  return true
}

/** The refusal of a body that exceeds the limits. */
export const structureRefusal = () =>
  new MalformedRequest({
    reason: `The request body is nested more than ${maxDepth} levels deep or has more than ${maxFields} fields`
  })
