/** Safe edits in handlers: the `ETag` of a record, and the precondition of an `If-Match`. */
import { Effect } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { hash } from "node:crypto"
import { Conflict, type Precondition, unconditional } from "@livery/domain"
import { tagsOf } from "./Representation.ts"

const tagOf = (text: string) => `"${hash("sha256", text, "base64url").slice(0, 27)}"`

/** The entity tag of a record, computed from its content: every record has one, and equal records have the same. */
const etagOf = (record: object): string => tagOf(JSON.stringify(record))

const recordText = Symbol("recordText")

/**
 * A record with its tag, for a route whose success is `tagged`. It keeps the JSON text from which the tag was computed.
 */
export const withEtag = <A extends object>(record: A) => {
  const text = JSON.stringify(record)
  return Object.assign(HttpApiSchema.withHeaders({ body: record, headers: { etag: tagOf(text) } }), {
    [recordText]: text
  })
}

/** The JSON text of a record that {@link withEtag} tagged. */
export const textOf = (tagged: object): string | undefined => {
  const text: unknown = recordText in tagged ? tagged[recordText] : undefined
  return typeof text === "string" ? text : undefined
}

/** A body other than the record itself, with the record's tag. */
export const withEtagOf = <A>(record: object, body: A) =>
  HttpApiSchema.withHeaders({ body, headers: { etag: etagOf(record) } })

/**
 * The precondition that the request's `If-Match` sets for the record that it changes. It holds if the header is absent
 * or `*`, or if the record's tag is one of those listed. The use case checks it while it holds the record's lock.
 */
export const preconditionOf = (headers: {
  readonly "if-match"?: string | undefined
}): Precondition<object> => {
  const header = headers["if-match"]?.trim()
  if (header === undefined || header === "*") return unconditional
  const tags = tagsOf(header)
  return (current) =>
    tags.includes(etagOf(current))
      ? Effect.void
      : Effect.fail(new Conflict({ reason: "The record was changed since you read it; read it again" }))
}
