/** The copies of records on PostgreSQL: timelines, events, the audit log, stored responses, the mail outbox. */
import {
  type BusinessId,
  contentOfRequest,
  type DocumentKind,
  type DocumentPage,
  OpenedRequest,
  type Person,
  type PersonalDocument,
  type Reference,
  SecretBox
} from "@livery/domain"
import { Effect, Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { everyKey } from "../sql/statements/IdempotencyKeys.ts"
import { rowsAs } from "../sql/rows/Rows.ts"
import { conditionsOf, fieldPatternsOf } from "./PersonConditions.ts"

const keysOf = rowsAs(Schema.Struct({ last_key: Schema.String }))
const textsOf = rowsAs(Schema.Struct({ key: Schema.String, text: Schema.String }))
const referencesOf = rowsAs(
  Schema.Struct({ kind: Schema.Literals(["trip", "quote", "booking", "customer", "driver"]), id: Schema.Int })
)

const Json = Schema.fromJsonString(Schema.Json)
const parse = Schema.decodeUnknownSync(Json)

const Stored = Schema.fromJsonString(OpenedRequest)
const decodeStored = Schema.decodeUnknownEffect(Stored)

/**
 * SQL for the first id in a field of an event's body. Only if the field is null at its first place, a regular expression
 * looks for another: it takes five times as long.
 */
const firstId = (field: string) => `coalesce(
  substring(left(split_part(e.body, '"${field}":', 2), 20) FROM '^[0-9]+'),
  CASE WHEN position('"${field}":null' IN e.body) > 0 THEN substring(e.body FROM '"${field}":([0-9]+)') END)::bigint`

const noDocuments: DocumentPage = { documents: [], next: null }

/** The methods of `PersonalData` that find copies of records. */
export const makePersonalDocuments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox

  /**
   * The last key of the next page, which has at most `limit` rows; null if the page is the last one. A page is a range of
   * keys, so that its statement tests `limit` rows, and not all rows until `limit` of them contain something of the person.
   */
  const lastKeyOf = Effect.fnUntraced(function* (keys: Statement.Fragment, order: string, limit: number) {
    const [row] = yield* keysOf(sql`
      SELECT last_key::text FROM (${keys}) k ORDER BY ${sql.literal(order)} LIMIT 1 OFFSET ${limit - 1}`)
    return row?.last_key ?? null
  })

  /** The end of a page as a bound of the index: with `OR`, each page would read the rest of the table. */
  const upTo = (key: string, lastKey: string | null, type: string) =>
    lastKey === null ? sql`true` : sql`${sql.literal(key)} <= ${lastKey}::${sql.literal(type)}`

  const page = (
    rows: ReadonlyArray<{ readonly key: string; readonly text: string }>,
    next: string | null
  ) => ({
    documents: rows.map(({ key, text }): PersonalDocument => ({ key, content: parse(text) })),
    next
  })

  /**
   * Whether a body has the field more than once, as that of an invoice with several trips, and one of its ids satisfies
   * the condition. The regular expression runs only for these bodies.
   */
  const hasFurtherId = (field: string, condition: Statement.Fragment) =>
    sql`(${sql.literal(`split_part(e.body, '"${field}":', 3) <> ''`)} AND EXISTS (
      SELECT FROM ${sql.literal(`regexp_matches(e.body, '"${field}":([0-9]+)', 'g')`)} AS match WHERE ${condition}))`

  const events = Effect.fnUntraced(function* (person: Person, after: string, limit: number) {
    const { business_id, customer_ids, driver_ids } = person
    if (business_id === null) return noDocuments
    const { contains, hasPhone } = conditionsOf(sql, person)
    const next = yield* lastKeyOf(
      sql`SELECT event_id AS last_key FROM event_history WHERE business_id = ${business_id} AND event_id > ${after}`,
      "last_key",
      limit
    )
    const hasId = (field: string, ids: ReadonlyArray<number>) =>
      sql`e.body LIKE ANY (${fieldPatternsOf(field, ids)}::text[])`
    const isErased = (kind: "trip" | "quote") => {
      const erased = (id: string) => sql`EXISTS (
        SELECT FROM erased_records r
        WHERE r.business_id = ${business_id} AND r.kind = ${sql.literal(`'${kind}'`)} AND r.record_id = ${sql.literal(id)})`
      const field = `${kind}_id`
      return sql`(${erased(firstId(field))} OR ${hasFurtherId(field, erased("match[1]::bigint"))})`
    }
    const rows = yield* textsOf(sql`
      SELECT e.event_id AS key, e.body AS text FROM event_history e
      WHERE e.business_id = ${business_id} AND e.event_id > ${after}
        AND ${upTo("e.event_id", next, "text")} AND (
          ${contains("e.body")} OR (${person.phones.length > 0} AND ${hasPhone("e.body")})
          OR ${hasId("customer_id", customer_ids)} OR ${hasId("driver_id", driver_ids)}
          OR ${isErased("trip")} OR ${isErased("quote")})`)
    return page(rows, next)
  })

  const changes = Effect.fnUntraced(function* (person: Person, after: string, limit: number) {
    const { business_id, customer_ids, driver_ids } = person
    const { contains, hasPhone, hasTexts, isDriver } = conditionsOf(sql, person)
    if (business_id === null || (!hasTexts && customer_ids.length + driver_ids.length === 0))
      return noDocuments
    const [tripId, changeId] = after === "" ? ["0", "0"] : after.split(".")
    const isAfter = sql`(r.trip_id, r.change_id) > (${tripId}::bigint, ${changeId}::bigint)`
    const next = yield* lastKeyOf(
      sql`SELECT r.trip_id || '.' || r.change_id AS last_key, r.trip_id, r.change_id FROM trip_changes r
          WHERE r.business_id = ${business_id} AND ${isAfter}`,
      "trip_id, change_id",
      limit
    )
    const [lastTrip = null, lastChange = null] = next?.split(".") ?? []
    // The planner estimates the bounds of trip_id well, and those of rows badly: it would start parallel workers for each page.
    const isWithin =
      lastTrip === null
        ? sql`r.trip_id >= ${tripId}::bigint`
        : sql`r.trip_id BETWEEN ${tripId}::bigint AND ${lastTrip}::bigint
            AND (r.trip_id, r.change_id) <= (${lastTrip}::bigint, ${lastChange}::bigint)`
    const text = "concat(r.before::text, r.after::text)"
    /** The trip may have another customer now. */
    const hasCustomer = (values: "before" | "after") =>
      sql`r.${sql.literal(values)} ->> 'customer_id' = ANY (${customer_ids.map(String)}::text[])`
    const rows = yield* textsOf(sql`
      SELECT r.trip_id || '.' || r.change_id AS key,
        json_build_object('driver_id', r.driver_id, 'before', r.before, 'after', r.after)::text AS text
      FROM trip_changes r
      WHERE r.business_id = ${business_id} AND ${isAfter}
        AND ${isWithin}
        AND (${contains(text)} OR (${person.phones.length > 0} AND ${hasPhone(text)})
          OR (${isDriver} AND r.change = 'milestone_reached')
          OR (${customer_ids.length > 0} AND (${hasCustomer("before")} OR ${hasCustomer("after")})))`)
    return page(rows, next)
  })

  const audit = Effect.fnUntraced(function* (person: Person, after: string, limit: number) {
    const { business_id, user_ids } = person
    const subjects = user_ids.map((id) => `user:${id}`)
    // Without OFFSET, the planner would read the log in the order of its ids until a page is full.
    const rows = yield* textsOf(sql`
      SELECT audit_id::text AS key, text FROM (
        SELECT r.audit_id, json_build_object('before', r.before, 'after', r.after, 'reason', r.reason,
          'user_id', CASE WHEN r.subject = ANY (${subjects}::text[]) THEN substring(r.subject FROM 6)::bigint END)::text
          AS text
        FROM audit_history r
        WHERE ${conditionsOf(sql, person).isAudited}
          AND ${business_id === null ? sql`true` : sql`r.business_id = ${business_id}`}
        OFFSET 0) found
      WHERE audit_id > ${Number(after)} ORDER BY audit_id LIMIT ${limit}`)
    return page(rows, rows.length < limit ? null : (rows.at(-1)?.key ?? null))
  })

  /** Decrypts the sealed texts of a table, and omits those that cannot be decrypted. */
  const sealedPage = Effect.fnUntraced(function* (
    rows: ReadonlyArray<{ readonly key: string; readonly text: string }>,
    limit: number,
    contentOf: (text: string) => Effect.Effect<unknown, unknown>
  ) {
    const documents = yield* Effect.forEach(rows, ({ key, text }) =>
      Effect.option(
        Effect.catchDefect(
          Effect.map(Effect.flatMap(box.open(text), contentOf), (content) => ({ key, content })),
          Effect.fail
        )
      )
    )
    return {
      documents: documents.filter(Option.isSome).map(({ value }): PersonalDocument => value),
      next: rows.length < limit ? null : (rows.at(-1)?.key ?? null)
    }
  })

  const responses = Effect.fnUntraced(function* (person: Person, after: string, limit: number) {
    const rows = yield* textsOf(sql`
      SELECT key, sealed_response AS text FROM ${sql.literal(everyKey)} r
      WHERE key > ${after} AND sealed_response <> '' AND ${conditionsOf(sql, person).mayBeStored}
      ORDER BY key LIMIT ${limit}`)
    return yield* sealedPage(rows, limit, (text) => Effect.map(decodeStored(text), contentOfRequest))
  })

  const messages = Effect.fnUntraced(function* (after: string, limit: number) {
    const rows = yield* textsOf(sql`
      SELECT mail_id::text AS key, sealed_message AS text FROM mail_outbox
      WHERE mail_id > ${Number(after)} ORDER BY mail_id LIMIT ${limit}`)
    return yield* sealedPage(rows, limit, Schema.decodeEffect(Json))
  })

  const documents = (kind: DocumentKind, person: Person, after: string, limit: number) => {
    switch (kind) {
      case "changes":
        return changes(person, after, limit)
      case "events":
        return events(person, after, limit)
      case "audit":
        return audit(person, after, limit)
      case "responses":
        return responses(person, after, limit)
      case "messages":
        return messages(after, limit)
    }
  }

  const erasedAmong = Effect.fnUntraced(function* (
    businessId: BusinessId | null,
    references: ReadonlyArray<Reference>
  ) {
    if (businessId === null || references.length === 0) return []
    const [kinds, ids] = [references.map(({ kind }) => kind), references.map(({ id }) => id)]
    return yield* referencesOf(sql`
      SELECT DISTINCT r.kind, r.record_id AS id
      FROM unnest(${kinds}::text[], ${ids}::bigint[]) AS u (kind, id)
      JOIN erased_records r ON r.business_id = ${businessId} AND r.kind = u.kind AND r.record_id = u.id`)
  })

  return { documents, erasedAmong }
})
