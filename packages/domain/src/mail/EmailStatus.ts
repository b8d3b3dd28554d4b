/** What became of an email. */
import { Schema } from "effect"

/** `queued` until the mail server has taken it; `failed` once it was given up. */
export const EmailStatus = Schema.Literals(["queued", "sent", "failed"])
export type EmailStatus = typeof EmailStatus.Type
