/** The bodies of the routes of notices. */
import { Schema } from "effect"
import { oneOf } from "../kernel/fields/OneOf.ts"
import { omittable } from "../kernel/fields/Optional.ts"
import { text } from "../kernel/fields/Text.ts"
import { TripId } from "../kernel/Ids.ts"
import { knownPlaceholders } from "../mail/Template.ts"
import { NoticeKind } from "./rules/NoticeKind.ts"
import { NoticeLanguage, noticePlaceholders } from "./rules/NoticeSettings.ts"

const known = knownPlaceholders(noticePlaceholders)

/** What is previewed: a template that is not stored yet, or else the stored or default one. */
export const NoticePreviewInput = Schema.Struct({
  kind: oneOf(NoticeKind),
  language: omittable(oneOf(NoticeLanguage)),
  template: omittable(
    Schema.Struct({
      subject: text(200).check(known),
      text: text(5000).check(known),
      short: text(600).check(known)
    })
  )
})
export type NoticePreviewInput = typeof NoticePreviewInput.Type

/** A notice as its addressee would read it. `segments` are those of `short` as a text message. */
export const NoticePreview = Schema.Struct({
  kind: NoticeKind,
  language: NoticeLanguage,
  subject: Schema.String,
  text: Schema.String,
  short: Schema.String,
  encoding: Schema.Literals(["gsm-7", "ucs-2"]),
  segments: Schema.Int
})
export type NoticePreview = typeof NoticePreview.Type

/** A message of the office to a driver. */
export const DriverMessageInput = Schema.Struct({ text: text(500), trip_id: omittable(TripId) })
export type DriverMessageInput = typeof DriverMessageInput.Type

/** The key by which browsers subscribe; null if the installation sends no push messages. */
export const PushKeyRecord = Schema.Struct({ public_key: Schema.NullOr(Schema.String) })
export type PushKeyRecord = typeof PushKeyRecord.Type
