/** Safe edits in handlers: the `ETag` of a record, and the precondition of an `If-Match`. */
import { Effect } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { hash } from "node:crypto"
import { Conflict, type Precondition, unconditional } from "@livery/domain"
import { tagsOf } from "./Representation.ts"

/** Whether the JSON text of a record contains another object that is not empty, or a string that looks like one. */
const hasNestedObject = (text: string) => {
  for (let at = text.indexOf("{", 1); at !== -1; at = text.indexOf("{", at + 1))
    if (text[at + 1] !== "}") return true
  return false
}

/** The value with the keys of its objects in alphabetical order, except objects with a JSON form of their own. */
const withSortedKeys = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  // A caller's metadata may have a text of that name.
  if ("toJSON" in value && typeof value.toJSON === "function") return value
  if (Array.isArray(value)) return value.map(withSortedKeys)
  const entries = Object.entries(value).map(([key, inner]) => [key, withSortedKeys(inner)] as const)
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Fields whose objects the server makes with their keys in a fixed order. They are in most trips, and sorting takes time. */
const inFixedOrder: ReadonlySet<string> = new Set(["drivers", "former_drivers"])

/** Whether the keys of a field's value, or of a value within it, may have another order when the record is read again. */
const mayBeReordered = ([field, value]: readonly [string, unknown]) =>
  typeof value === "object" &&
  value !== null &&
  !inFixedOrder.has(field) &&
  !("toJSON" in value && typeof value.toJSON === "function") &&
  Object.keys(value).length > 0

/**
 * A text that is the same for equal records; `text` is the record's JSON. The fields of a record always have the same order.
 * The keys of the objects within it have not: PostgreSQL's `jsonb` reorders them, so that they have another order once
 * the record is read again. A record without such objects needs no second text.
 */
const canonicalText = (record: object, text: string) => {
  if (!hasNestedObject(text)) return text
  const nested = Object.entries(record).filter(mayBeReordered)
  if (nested.length === 0) return text
  const sorted = nested.map(([field, value]) => [field, withSortedKeys(value)] as const)
  return JSON.stringify({ ...record, ...Object.fromEntries(sorted) })
}

/** The entity tag of a record with that JSON. */
const tagOf = (record: object, text: string) =>
  `"${hash("sha256", canonicalText(record, text), "base64url").slice(0, 27)}"`

/** The entity tag of a record, computed from its content: every record has one, and equal records have the same. */
const etagOf = (record: object): string => tagOf(record, JSON.stringify(record))

const recordText = Symbol("recordText")

/**
 * A record with its tag, for a route whose success is `tagged`. It keeps the JSON text of the record, so that
 * the response does not compute it again.
 */
export const withEtag = <A extends object>(record: A) => {
  const text = JSON.stringify(record)
  return Object.assign(HttpApiSchema.withHeaders({ body: record, headers: { etag: tagOf(record, text) } }), {
    [recordText]: text
  })
}

/** A page of records with the tag of all that the response has of it, for a list whose success is `tagged`. */
export const pageWithEtag = <A extends { readonly items: ReadonlyArray<object> }>(page: A) => {
  const { items, ...meta } = page
  const text = JSON.stringify(items)
  const etag = `"${hash("sha256", text + JSON.stringify(meta), "base64url").slice(0, 27)}"`
  return Object.assign(HttpApiSchema.withHeaders({ body: page, headers: { etag } }), { [recordText]: text })
}

/** The JSON text of a record that {@link withEtag} tagged, or of the records of a page. */
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
