/** The words of the letters to customers: of invoices, reminders, quotes and bookings. */

/** A subject and a text, with placeholders in double braces. */
interface Letter {
  readonly subject: string
  readonly text: string
}

/**
 * The words of one language. The sentences of invoices have the placeholders `number`, `business_name`, `amount`, `date` and `link`;
 * the other letters have those of a business's own wordings.
 */
export interface LetterWords {
  readonly invoice: string
  readonly attached: string
  readonly due: string
  readonly dueOn: string
  readonly nothingDue: string
  readonly payOnline: string
  readonly reminder: string
  readonly dueSince: string
  readonly alreadyPaid: string
  /** The subject and the sentence of a statement, whose days are `from` and `to`. */
  readonly statement: string
  readonly statementAttached: string
  readonly quote_sent: Letter
  readonly quote_accepted: Letter
  readonly booking_confirmed: Letter
  readonly booking_cancelled: Letter
}
