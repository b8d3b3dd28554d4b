/** The letters to customers that could not be delivered. */
import { Schema } from "effect"
import * as Field from "../kernel/fields/Field.ts"
import * as Value from "../kernel/fields/Value.ts"
import { LetterKind } from "./MailMessage.ts"

/**
 * The fields of a letter that was given up. `reference` is the number or the reference of its record, and `reason` what the mail
 * server said last.
 */
const failedLetterFields = Field.ofNobody({
  letter_id: Field.assigned(Value.id(Schema.Int)),
  kind: Field.assigned(Value.oneOf(LetterKind)),
  reference: Field.assigned(Value.unboundedText),
  attempts: Field.assigned(Value.unchanged(Schema.Int)),
  reason: Field.assigned(Value.unboundedText),
  posted_at: Field.assigned(Value.instant),
  failed_at: Field.assigned(Value.instant)
})

/** A letter as stored. */
export const FailedLetter = Field.storedOf(failedLetterFields)
export type FailedLetter = typeof FailedLetter.Type

/** A letter in a response. */
export const FailedLetterRecord = Field.recordOf(failedLetterFields)
export type FailedLetterRecord = typeof FailedLetterRecord.Type

/** The record of a letter. */
export const failedLetterRecord = Field.encoderOf(failedLetterFields)
