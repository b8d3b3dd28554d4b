/** The name of a header of a request. */
import { Schema } from "effect"
import { check } from "../../kernel/fields/FieldIssue.ts"

const form = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/u

// The connection sets these.
const reserved = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "te",
  "trailer"
])

/** A name that a request may set, or that a signature may come in. */
export const HeaderName = Schema.String.check(
  check<string>("invalid", (name) => form.test(name) && !reserved.has(name.toLowerCase()), {
    pattern: form.source
  })
)
