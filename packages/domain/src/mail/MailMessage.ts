/**
 * Messages to people. A use case stores a message in the outbox within its own transaction, and the sender delivers it
 * later. So no request waits for a mail server, and its duration reveals nothing about the recipient.
 */
import { type DateTime, Schema } from "effect"
import { BusinessId, CustomerId, DriverId, NoticeId, TripId } from "../kernel/Ids.ts"

/**
 * The recipient of a message that is never sent. A use case writes such a message for an unknown account, so that it takes
 * as long as for a known one.
 */
export const noRecipient = ""

/** A file in a message. `content` is written in base64 in the outbox. */
export const MailAttachment = Schema.Struct({
  file_name: Schema.String,
  content_type: Schema.String,
  content: Schema.Uint8ArrayFromBase64
})
export type MailAttachment = typeof MailAttachment.Type

/** The letters of a business to its customers, each of which costs an email credit. */
export const LetterKind = Schema.Literals([
  "invoice",
  "reminder",
  "statement",
  "quote_sent",
  "quote_accepted",
  "booking_confirmed",
  "booking_cancelled",
  "notice"
])
export type LetterKind = typeof LetterKind.Type

/** What a letter is about: the kind of letter, and the number or the reference of its record. */
export const LetterSubject = Schema.Struct({ kind: LetterKind, reference: Schema.String })
export type LetterSubject = typeof LetterSubject.Type

/** A record that a message names: an erasure of the record finds the message by it. */
export const NamedRecord = Schema.Union([
  Schema.Struct({ trip_id: TripId }),
  Schema.Struct({ customer_id: CustomerId }),
  Schema.Struct({ driver_id: DriverId })
])
export type NamedRecord = typeof NamedRecord.Type

/** The customer that a message names, if there is one. */
export const namedCustomer = (id: CustomerId | null): ReadonlyArray<NamedRecord> =>
  id === null ? [] : [{ customer_id: id }]

/** The ways in which a message reaches a person. */
export const MessageChannel = Schema.Literals(["mail", "text", "push"])
export type MessageChannel = typeof MessageChannel.Type

/**
 * A message to one address, or to {@link noRecipient}, in plain text and optionally also in HTML. `reply_to` is the
 * address that replies go to. `business_id` is the business that sends it; absent from messages about an account, which
 * belong to no business. `letter` is the letter to a customer that it is, and `from_name` the name that it comes from in place of
 * the installation's. A message of another `channel` than mail goes to a telephone number (`text`), or to the devices of a user
 * with that id (`push`); without one, it is mail. `names` has the records whose persons
 * the message may name. `notice_id` is the notice whose outcome the sender notes, and `link` the page
 * that a push message opens.
 */
export const MailMessage = Schema.Struct({
  business_id: Schema.optionalKey(BusinessId),
  letter: Schema.optionalKey(LetterSubject),
  names: Schema.optionalKey(Schema.Array(NamedRecord)),
  notice_id: Schema.optionalKey(NoticeId),
  channel: Schema.optionalKey(MessageChannel),
  link: Schema.optionalKey(Schema.String),
  to: Schema.String,
  from_name: Schema.optionalKey(Schema.String),
  subject: Schema.String,
  text: Schema.String,
  html: Schema.optionalKey(Schema.String),
  reply_to: Schema.optionalKey(Schema.String),
  attachments: Schema.optionalKey(Schema.Array(MailAttachment))
})
export type MailMessage = typeof MailMessage.Type

/** The identity of a message, which is stored with it: mail programs show a message that was sent twice with it once. */
export interface MailStamp {
  /** Unique among the messages of all installations: letters, digits and hyphens. */
  readonly id: string
  /** When the message was posted. */
  readonly date: DateTime.Utc
}
