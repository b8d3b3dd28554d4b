/** The domain's `Mailer` over a mail server. */
import { Mailer, MailRefused } from "@livery/domain"
import { Duration, Effect, Layer, Predicate, type Redacted } from "effect"
import { compose, readSender } from "./Composition.ts"
import type { MailSettingRefused } from "./MailSettingRefused.ts"
import { readSmtpServer } from "./SmtpServer.ts"

/** How letters leave by SMTP. */
export interface SmtpMailerOptions {
  /** `SMTP_URL`: `smtp://user:password@host:587`, or `smtps://…` for TLS from the start. */
  readonly url: Redacted.Redacted
  /** `MAIL_FROM`: one address, with or without a name. */
  readonly from: string
  /** Longest wait for a connection, a greeting or an answer; 10 seconds by default. */
  readonly stepTimeout?: Duration.Input
  /** Longest time for one letter in all, which no server that trickles its answers can stretch; 30 seconds. */
  readonly letterTimeout?: Duration.Input
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
  EMESSAGE: "the mail server refused the letter"
}

const textOf = (error: unknown, field: string): string | undefined => {
  const value = Predicate.hasProperty(error, field) ? error[field] : undefined
  return typeof value === "string" ? value : undefined
}

/**
 * A reason in words of ours, with the server's status code. The server's own text stays out: it may repeat what
 * was sent, and that holds credentials and codes.
 */
const refusal = (error: unknown): MailRefused => {
  const [status] = /^[245]\d\d\b/u.exec(textOf(error, "response") ?? "") ?? []
  const system = textOf(error, "originalCode")
  const detail = status ?? (system !== undefined && /^E[A-Z]{2,20}$/u.test(system) ? system : undefined)
  const reason = reasons[textOf(error, "code") ?? ""] ?? "the mail server could not be used"
  return new MailRefused({ reason: detail === undefined ? reason : `${reason} (${detail})` })
}

/**
 * Sends over a pool of at most five connections, which ends with the layer. `MailRefused` when the server is away
 * or refuses; an interrupted `send` closes its connection, and the letter may or may not have been taken.
 */
export const layer = (options: SmtpMailerOptions): Layer.Layer<Mailer, MailSettingRefused> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const from = yield* readSender(options.from)
      const server = yield* readSmtpServer(options.url)
      // Read when there is a mail server to reach: without one, no start should wait for it.
      const { createTransport } = yield* Effect.promise(() => import("nodemailer"))
      const step = Duration.toMillis(Duration.fromInputUnsafe(options.stepTimeout ?? "10 seconds"))
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            url: server.url,
            ...(server.requireTLS ? { requireTLS: true } : {}),
            pool: true,
            maxConnections: 5,
            // Once, for a connection that the server had closed while it was idle; the courier does the rest.
            maxRequeues: 1,
            connectionTimeout: step,
            greetingTimeout: step,
            socketTimeout: step,
            dnsTimeout: step,
            logger: false,
            debug: false
          })
        ),
        (transport) => Effect.sync(() => transport.close())
      )
      return Mailer.of({
        send: Effect.fn("Mailer.send")(function* (letter) {
          const message = yield* compose(from, letter)
          yield* Effect.tryPromise({
            try: (signal) => transport.sendMail({ ...message, signal }),
            catch: refusal
          }).pipe(
            Effect.timeoutOrElse({
              duration: options.letterTimeout ?? "30 seconds",
              orElse: () => Effect.fail(refusal({ code: "ETIMEDOUT" }))
            })
          )
        })
      })
    })
  )
