/** The domain's `Mailer` on a mail server. */
import { Mailer, MailRefused, traced } from "@livery/domain"
import { Duration, Effect, Layer, type Redacted } from "effect"
import { textIn } from "../outgoing/ErrorFields.ts"
import { compose, readSender } from "./MailComposition.ts"
import type { MailSettingRefused } from "./MailSettingRefused.ts"
import { readSmtpServer } from "./SmtpServer.ts"

/** The mail server and its limits. */
export interface SmtpMailerOptions {
  /** `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. */
  readonly url: Redacted.Redacted
  /** The sender: one address, with or without a name. */
  readonly from: string
  /** The timeout of a connection, a greeting and a reply; 10 seconds by default. */
  readonly stepTimeout?: Duration.Input
  /** The timeout of a whole message, also if the server keeps replying slowly; 30 seconds by default. */
  readonly messageTimeout?: Duration.Input
}

const reasons: Readonly<Record<string, string>> = {
  EAUTH: "the mail server refused the credentials",
  ENOAUTH: "the mail server asks for credentials",
  EDNS: "the mail server's name was not found",
  ETLS: "no encrypted connection to the mail server",
  ETIMEDOUT: "the mail server did not answer in time",
  ESOCKET: "no connection to the mail server",
  ECONNECTION: "the connection to the mail server was lost",
  EPROTOCOL: "the mail server does not speak SMTP",
  EENVELOPE: "the mail server refused the sender or the recipient",
  EMESSAGE: "the mail server refused the message"
}

/** The refusal, with the server's status code. The server's text may repeat credentials and codes, so it is left out. */
const refusal = (error: unknown): MailRefused => {
  const [status] = /^[245]\d\d\b/u.exec(textIn(error, "response") ?? "") ?? []
  const systemCode = textIn(error, "originalCode")
  const detail = status ?? (/^E[A-Z]{2,20}$/u.test(systemCode ?? "") ? systemCode : undefined)
  const reason = reasons[textIn(error, "code") ?? ""] ?? "the mail server could not be used"
  return new MailRefused({ reason: detail === undefined ? reason : `${reason} (${detail})` })
}

/**
 * Sends over a pool of at most five connections, which closes with the layer. `MailRefused` if the server is unreachable
 * or refuses. An interrupted `send` closes its connection; the server may have accepted the message or not.
 */
export const layer = (options: SmtpMailerOptions): Layer.Layer<Mailer, MailSettingRefused> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const from = yield* readSender(options.from)
      const server = yield* readSmtpServer(options.url)
      // Imported only if a mail server is configured, because the import delays the start.
      const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
      const stepMillis = Duration.toMillis(Duration.fromInputUnsafe(options.stepTimeout ?? "10 seconds"))
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            url: server.url,
            ...(server.requireTLS ? { requireTLS: true } : {}),
            pool: true,
            maxConnections: 5,
            // One retry, for an idle connection that the server has closed. The mail sender retries everything else.
            maxRequeues: 1,
            connectionTimeout: stepMillis,
            greetingTimeout: stepMillis,
            socketTimeout: stepMillis,
            dnsTimeout: stepMillis,
            logger: false,
            debug: false
          })
        ),
        (transport) => Effect.sync(() => transport.close())
      )
      return Mailer.of({
        send: traced("Mailer.send")(function* (message, stamp) {
          const composed = yield* compose(from, message, stamp)
          yield* Effect.tryPromise({
            try: (signal) => transport.sendMail({ ...composed, signal }),
            catch: refusal
          }).pipe(
            Effect.timeoutOrElse({
              duration: options.messageTimeout ?? "30 seconds",
              orElse: () => Effect.fail(refusal({ code: "ETIMEDOUT" }))
            })
          )
        })
      })
    })
  )
