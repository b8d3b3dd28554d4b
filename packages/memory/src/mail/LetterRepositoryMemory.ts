import { FailedLetter, LetterRepository } from "@livery/domain"
import { only } from "../store/Fields.ts"
import { descending, pageOf } from "../store/Pages.ts"
import { inMemory } from "../store/Store.ts"

export const layer = inMemory(LetterRepository, ({ businesses, failedLetters, invoices, step }) => {
  const invoiceOf = (businessId: number, number: string) =>
    invoices.find((row) => row.business_id === businessId && row.number === number)?.invoice_id
  return {
    sent: (businessId, { kind, reference }) =>
      step(() => {
        const invoiceId = kind === "invoice" ? invoiceOf(businessId, reference) : undefined
        if (invoiceId !== undefined)
          invoices.change(invoiceId, { email_status: "sent", email_failed_at: null })
      }),
    failed: (business_id, letter) =>
      step(() => {
        const { email_credits = 0 } = businesses.get(business_id) ?? {}
        businesses.change(business_id, { email_credits: email_credits + 1 })
        const letter_id = failedLetters.next()
        failedLetters.set(letter_id, { ...letter, letter_id, business_id })
        const invoiceId = letter.kind === "invoice" ? invoiceOf(business_id, letter.reference) : undefined
        if (invoiceId !== undefined)
          invoices.change(invoiceId, { email_status: "failed", email_failed_at: letter.failed_at })
      }),
    failures: (businessId, page) =>
      step(() => {
        const letters = failedLetters
          .where(({ business_id }) => business_id === businessId)
          .toSorted(descending(({ letter_id }) => [letter_id]))
        return pageOf(
          letters.map((row) => only(FailedLetter, row)),
          page
        )
      })
  }
})
