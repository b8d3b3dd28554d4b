/** Safe edits, as handlers do them: the `ETag` of a record, and what an `If-Match` demands of it. */
import { Effect } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { hash } from "node:crypto"
import { Conflict, type Precondition, unconditional } from "@livery/domain"
import { tagsOf } from "./Representation.ts"

const tagOf = (text: string) => `"${hash("sha256", text, "base64url").slice(0, 27)}"`

/** The entity tag of a record: of its content, so that every record has one, and equal states have the same. */
export const etagOf = (record: object): string => tagOf(JSON.stringify(record))

const recordText = Symbol("recordText")

/** A record with its tag, for a route whose success is `tagged`. It keeps the text that the tag was computed of. */
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

/** Another body than the record's own, with the record's tag. */
export const withEtagOf = <A>(record: object, body: A) =>
  HttpApiSchema.withHeaders({ body, headers: { etag: etagOf(record) } })

/**
 * What the request's `If-Match` demands of the record that it changes: nothing if it is absent or `*`, else that the
 * record stands as one of the tags says. Give it to the use case, which asks while it holds the record.
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
