/** Where the mail server is: `SMTP_URL`, read and checked. */
import { Effect, Redacted } from "effect"
import { MailSettingRefused } from "./MailSettingRefused.ts"

/** A mail server's address, and whether the connection has to be encrypted before anything is said. */
export interface SmtpServer {
  readonly url: string
  readonly requireTLS: boolean
}

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/u

/**
 * Reads `smtp://user:password@host:port` (STARTTLS where the server offers it) or `smtps://…` (TLS from the
 * start). With credentials, STARTTLS is demanded, lest somebody in between strip the offer and read the password;
 * `?ignoreTLS=true` gives that up on purpose, and on the machine itself nothing is demanded.
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
  const given = url.username !== "" || url.password !== ""
  const waived = url.searchParams.get("ignoreTLS") === "true"
  return {
    url: url.href,
    requireTLS: url.protocol === "smtp:" && given && !waived && !loopback.test(url.hostname)
  }
})
