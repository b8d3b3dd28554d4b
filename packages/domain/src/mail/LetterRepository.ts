/** The port that stores what became of the letters to customers. */
import { Context, type Effect } from "effect"
import type { BusinessId } from "../kernel/Ids.ts"
import type { Page, PageRequest } from "../kernel/Page.ts"
import type { FailedLetter } from "./FailedLetter.ts"
import type { LetterSubject } from "./MailMessage.ts"

/** A letter that was given up. */
export type NewFailedLetter = Omit<FailedLetter, "letter_id">

/**
 * - `sent`: notes on the invoice of a letter of the kind `invoice` that it was sent; no change for other letters.
 * - `failed`: stores a letter that was given up, notes it on the invoice, and gives the email credit back. It locks the business.
 * - `failures`: a page of the letters of a business that were given up, the latest first.
 */
export class LetterRepository extends Context.Service<
  LetterRepository,
  {
    readonly sent: (businessId: BusinessId, letter: LetterSubject) => Effect.Effect<void>
    readonly failed: (businessId: BusinessId, letter: NewFailedLetter) => Effect.Effect<void>
    readonly failures: (businessId: BusinessId, page: PageRequest) => Effect.Effect<Page<FailedLetter>>
  }
>()("@livery/domain/LetterRepository") {}
