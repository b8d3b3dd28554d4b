/** Replacing the copies of records on PostgreSQL: one statement for all copies of a page. */
import {
  type BusinessId,
  type DocumentKind,
  OpenedRequest,
  type PersonalDocument,
  type ResponseContent,
  SecretBox,
  withContent
} from "@livery/domain"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { lockCurrentKeys } from "../sql/statements/IdempotencyKeys.ts"
import { padBody } from "../events/EventInsertion.ts"
import { rowsAs } from "../sql/rows/Rows.ts"

const sealedOf = rowsAs(Schema.Struct({ key: Schema.String, sealed_response: Schema.String }))

const Stored = Schema.fromJsonString(OpenedRequest)
const decodeStored = Schema.decodeUnknownEffect(Stored)
const encodeStored = Schema.encodeEffect(Stored)

/** What changes in a line of a timeline and in an entry of the audit log. */
interface Fields {
  readonly before: unknown
  readonly after: unknown
  readonly reason?: string | null
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))

/** The columns of the changed fields, one array each. */
const columnsOf = (documents: ReadonlyArray<PersonalDocument>) => {
  const fields = documents.map(({ content }) => (content ?? {}) as Fields)
  return {
    befores: fields.map(({ before }) => json(before)),
    afters: fields.map(({ after }) => json(after)),
    reasons: fields.map(({ reason = null }) => reason)
  }
}

/** The method `saveDocuments` of `PersonalData`. */
export const makeErasedDocuments = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const box = yield* SecretBox

  const saveEvents = (businessId: BusinessId | null, documents: ReadonlyArray<PersonalDocument>) => {
    const ids = documents.map(({ key }) => key)
    const bodies = documents.map(({ content }) => padBody(JSON.stringify(content)))
    return sql`
      UPDATE event_history e SET body = erased.body
      FROM unnest(${ids}::text[], ${bodies}::text[]) AS erased (event_id, body)
      WHERE e.business_id = ${businessId} AND e.event_id = erased.event_id`
  }

  const saveChanges = (businessId: BusinessId | null, documents: ReadonlyArray<PersonalDocument>) => {
    const keys = documents.map(({ key }) => key.split("."))
    const tripIds = keys.map(([tripId = ""]) => tripId)
    const changeIds = keys.map(([, changeId = ""]) => changeId)
    const { afters, befores } = columnsOf(documents)
    return sql`
      UPDATE trip_changes c SET before = erased.before::jsonb, after = erased.after::jsonb
      FROM unnest(${tripIds}::bigint[], ${changeIds}::bigint[], ${befores}::text[], ${afters}::text[])
        AS erased (trip_id, change_id, before, after)
      WHERE c.business_id = ${businessId} AND c.trip_id = erased.trip_id AND c.change_id = erased.change_id`
  }

  const saveAudit = (documents: ReadonlyArray<PersonalDocument>) => {
    const ids = documents.map(({ key }) => key)
    const { afters, befores, reasons } = columnsOf(documents)
    return sql`
      UPDATE audit_history a SET before = erased.before::jsonb, after = erased.after::jsonb, reason = erased.reason
      FROM unnest(${ids}::bigint[], ${befores}::text[], ${afters}::text[], ${reasons}::text[])
        AS erased (audit_id, before, after, reason)
      WHERE a.audit_id = erased.audit_id`
  }

  const saveResponses = Effect.fnUntraced(function* (documents: ReadonlyArray<PersonalDocument>) {
    const contents = new Map(documents.map(({ content, key }) => [key, content as ResponseContent]))
    const locked = yield* sealedOf(lockCurrentKeys(sql, [...contents.keys()]))
    const sealed = yield* Effect.forEach(locked, ({ key, sealed_response }) =>
      Effect.gen(function* () {
        const stored = yield* decodeStored(yield* box.open(sealed_response))
        const content = contents.get(key) ?? { body: null, parts: {} }
        return yield* box.seal(yield* encodeStored(withContent(stored, content)))
      })
    )
    const keys = locked.map(({ key }) => key)
    yield* sql`
      UPDATE idempotency_keys k SET sealed_response = erased.sealed_response
      FROM unnest(${keys}::text[], ${sealed}::text[]) AS erased (key, sealed_response)
      WHERE k.key = erased.key`
  })

  const deleteMessages = (documents: ReadonlyArray<PersonalDocument>) =>
    sql`DELETE FROM mail_outbox WHERE mail_id = ANY (${documents.map(({ key }) => key)}::bigint[])`

  const saveDocuments = Effect.fnUntraced(function* (
    kind: DocumentKind,
    businessId: BusinessId | null,
    documents: ReadonlyArray<PersonalDocument>
  ) {
    if (documents.length === 0) return
    switch (kind) {
      case "events":
        return void (yield* saveEvents(businessId, documents))
      case "changes":
        return void (yield* saveChanges(businessId, documents))
      case "audit":
        return void (yield* saveAudit(documents))
      case "responses":
        return yield* saveResponses(documents)
      case "messages":
        return void (yield* deleteMessages(documents))
    }
  }, Effect.orDie)

  return { saveDocuments }
})
