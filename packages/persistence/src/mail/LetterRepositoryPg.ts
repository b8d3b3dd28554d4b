import {
  type BusinessId,
  FailedLetter,
  LetterRepository,
  type LetterSubject,
  type PageRequest
} from "@livery/domain"
import { Effect } from "effect"
import { makeEmailCredits } from "../sql/EmailCredits.ts"
import { pagesOf } from "../sql/lists/Pages.ts"
import { columnsOf } from "../sql/rows/Columns.ts"
import { execute, instant } from "../sql/rows/Rows.ts"
import { onPostgres } from "../sql/statements/OnPostgres.ts"

const pageOfLetters = pagesOf(FailedLetter)

/** Letters that were given up in the table `failed_letters`; what became of an invoice's email in its row. */
export const layer = onPostgres(LetterRepository, (sql) => {
  const columns = sql.literal(columnsOf(FailedLetter, "l"))
  const emailCredits = makeEmailCredits(sql)

  const note = (
    businessId: BusinessId,
    { kind, reference }: LetterSubject,
    email_status: "sent" | "failed",
    email_failed_at: Date | null
  ) =>
    kind === "invoice"
      ? execute(sql`
          UPDATE invoices SET ${sql.update({ email_status, email_failed_at })}
          WHERE business_id = ${businessId} AND number = ${reference}`)
      : Effect.void

  return {
    sent: (businessId, letter) => note(businessId, letter, "sent", null),
    failed: Effect.fnUntraced(function* (business_id, { failed_at, posted_at, ...letter }) {
      const at = instant(failed_at)
      yield* emailCredits.giveBack(business_id)
      yield* note(business_id, letter, "failed", at)
      const row = { business_id, ...letter, posted_at: instant(posted_at), failed_at: at }
      yield* execute(sql`INSERT INTO failed_letters ${sql.insert(row)}`)
    }),
    failures: (businessId: BusinessId, page: PageRequest) =>
      pageOfLetters(sql, page, {
        columns,
        from: sql`failed_letters l`,
        where: sql`l.business_id = ${businessId}`,
        order: sql`l.letter_id DESC`
      })
  }
})
