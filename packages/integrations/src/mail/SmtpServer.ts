/** The address of the mail server. */
import { Effect, Redacted } from "effect"
import { isLoopback } from "../outgoing/Loopback.ts"
import { MailSettingRefused } from "./MailSettingRefused.ts"

/** A mail server's address, and whether the connection must be encrypted before credentials are sent. */
export interface SmtpServer {
  readonly url: string
  readonly requireTLS: boolean
}

/**
 * Parses `smtp://user:password@host:port` (STARTTLS if the server offers it) or `smtps://…` (TLS from the start). With
 * credentials, STARTTLS is required: an attacker on the path could remove the offer and read the password. It is not
 * required with `?ignoreTLS=true` and on the loopback interface.
 */
export const readSmtpServer = Effect.fnUntraced(function* (
  redacted: Redacted.Redacted
): Effect.fn.Return<SmtpServer, MailSettingRefused> {
  const url = URL.parse(Redacted.value(redacted))
  if (url === null || !["smtp:", "smtps:"].includes(url.protocol) || url.hostname === "") {
    return yield* new MailSettingRefused({
      setting: "SMTP_URL",
      reason: "is not an address like smtp://user:password@host:587"
    })
  }
  const hasCredentials = url.username !== "" || url.password !== ""
  const isWaived = url.searchParams.get("ignoreTLS") === "true"
  return {
    url: url.href,
    requireTLS: url.protocol === "smtp:" && hasCredentials && !isWaived && !isLoopback(url.hostname)
  }
})
