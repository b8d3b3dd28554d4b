/** A notice: one message about a trip to one person, and what became of it (docs/api/notices.md). */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { DriverId, NoticeId, TripId } from "../kernel/Ids.ts"
import { MessageChannel } from "../mail/MailMessage.ts"
import { NoticeKind, NoticeParty } from "./rules/NoticeKind.ts"

/**
 * `queued` in the outbox; `sent` once a service has taken it; `delivered` once the service reports that it arrived; `failed` once it
 * was given up; `skipped` if it could not be sent at all, for the reason that it has.
 */
export const NoticeStatus = Schema.Literals(["queued", "sent", "delivered", "failed", "skipped"])
export type NoticeStatus = typeof NoticeStatus.Type

/**
 * The fields of a notice. `address` is the email address or the telephone number of a passenger or a
 * booker; null for drivers and after an erasure.
 * `channel` is null if no channel reaches the person. `segments` are those of a text message.
 */
const noticeFields = {
  notice_id: Field.assigned(Value.id(NoticeId)),
  trip_id: Field.assignedOrNull(Value.id(TripId)),
  kind: Field.assigned(Value.oneOf(NoticeKind)),
  party: Field.assigned(Value.oneOf(NoticeParty)),
  driver_id: Field.assignedOrNull(Value.id(DriverId)),
  channel: Field.assignedOrNull(Value.oneOf(MessageChannel)),
  address: Field.says({ person: "customer" }, Field.assignedOrNull(Value.unboundedText)),
  status: Field.assigned(Value.oneOf(NoticeStatus)),
  reason: Field.assignedOrNull(Value.unboundedText),
  segments: Field.assignedOrNull(Value.unchanged(Schema.Int)),
  created_at: Field.assigned(Value.instant),
  updated_at: Field.assigned(Value.instant)
}

/** A notice as stored. */
export const Notice = Field.storedOf(noticeFields)
export type Notice = typeof Notice.Type

/** A notice that is not stored yet. */
export type NewNotice = Omit<Notice, "notice_id" | "created_at" | "updated_at">

/** A notice in a response. */
export const NoticeRecord = Field.recordOf(noticeFields)
export type NoticeRecord = typeof NoticeRecord.Type

/** The record of a notice. */
export const noticeRecord = Field.encoderOf(noticeFields)
