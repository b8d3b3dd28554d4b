import { Mailer } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { SmtpMailer } from "@livery/integrations"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import PostalMime from "postal-mime"
import type { SMTPServerOptions } from "smtp-server"
import { forged, messages, stamp } from "./SampleMessages.ts"
import { closedPort, openSmtpServer } from "./SmtpTestServer.ts"

const from = "Example Cars, Zürich <no-reply@example.com>"
const sender = '"Example Cars, Zürich" <no-reply@example.com>'
const password = "hunter2-and-more"
const message = { to: "ann@example.com", subject: "Hello", text: "The code is 424242.\n" }

const mailerAt = (url: string, options: Partial<SmtpMailer.SmtpMailerOptions> = {}) =>
  SmtpMailer.layer({ url: Redacted.make(url), from: sender, ...options })

const send = (given: typeof message) => Mailer.use((mailer) => mailer.send(given, stamp))

const refusedBy = (options: SMTPServerOptions, url = (port: number) => `smtp://127.0.0.1:${port}`) =>
  Effect.gen(function* () {
    const { port } = yield* openSmtpServer(options)
    return yield* Effect.flip(send(message)).pipe(Effect.provide(mailerAt(url(port))))
  })

const failing = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

describe("SmtpMailer", () => {
  it.live.each(messages)("delivers a message unchanged: $title", (given) =>
    Effect.gen(function* () {
      const { port, received } = yield* openSmtpServer()
      yield* send(given).pipe(Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`)))
      assert.lengthOf(received, 1)
      const { from, to, source } = received[0] ?? { from: "", to: [], source: "" }
      assert.strictEqual(from, "no-reply@example.com")
      assert.deepStrictEqual(to, [given.to])
      const mail = yield* Effect.promise(() => PostalMime.parse(source))
      assert.strictEqual(mail.subject, given.subject)
      assert.strictEqual((mail.text ?? "").trimEnd(), given.text.trimEnd())
      assert.deepStrictEqual(mail.to, [{ name: "", address: given.to }])
      assert.deepStrictEqual(mail.from, { name: "Example Cars, Zürich", address: "no-reply@example.com" })
      assert.isUndefined(mail.bcc)
      assert.strictEqual(mail.html?.trimEnd(), given.html)
      assert.isTrue(source.split("\r\n").every((line) => line.length <= 998 && !line.includes("\n")))
    })
  )

  it.live.each(forged)("refuses a message with $title, and sends nothing", (given) =>
    Effect.gen(function* () {
      const { port, received, connections } = yield* openSmtpServer()
      const refused = yield* Effect.flip(send(given)).pipe(
        Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`))
      )
      assert.strictEqual(refused._tag, "MailRefused")
      assert.lengthOf(received, 0)
      assert.strictEqual(connections(), 0)
    })
  )

  it.live("sends a message again with the Message-ID and the Date of the first time", () =>
    Effect.gen(function* () {
      const { port, received } = yield* openSmtpServer()
      yield* Effect.andThen(send(message), send(message)).pipe(
        Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`))
      )
      const mails = yield* Effect.promise(() =>
        Promise.all(received.map(({ source }) => PostalMime.parse(source)))
      )
      assert.deepStrictEqual(
        mails.map(({ date, messageId }) => [messageId, date]),
        [1, 2].map(() => [`<${stamp.id}@example.com>`, "2026-11-20T09:30:00.000Z"])
      )
    })
  )

  it.live("sends consecutive messages over one connection", () =>
    Effect.gen(function* () {
      const { port, received, connections } = yield* openSmtpServer()
      yield* Effect.forEach(Array.from({ length: 5 }), () => send(message)).pipe(
        Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`))
      )
      assert.lengthOf(received, 5)
      assert.strictEqual(connections(), 1)
    })
  )

  it.live("signs in with the credentials of the URL", () =>
    Effect.gen(function* () {
      const logins: Array<string> = []
      const { port, received } = yield* openSmtpServer({
        authOptional: false,
        onAuth: (auth, _session, done) => {
          logins.push(`${auth.username ?? ""}:${auth.password ?? ""}`)
          done(null, { user: auth.username ?? "" })
        }
      })
      yield* send(message).pipe(
        Effect.provide(mailerAt(`smtp://us%40er:${encodeURIComponent("p@ss/w:rd")}@127.0.0.1:${port}`))
      )
      assert.deepStrictEqual(logins, ["us@er:p@ss/w:rd"])
      assert.lengthOf(received, 1)
    })
  )

  it.live("reports a server's refusal by its status, not by its text", () =>
    Effect.gen(function* () {
      const secret = "echo of AUTH and of the code 424242"
      const recipient = yield* refusedBy({ onRcptTo: (_to, _session, done) => done(failing(550, secret)) })
      assert.strictEqual(recipient.reason, "the mail server refused the sender or the recipient (550)")

      const later = yield* refusedBy({ onMailFrom: (_from, _session, done) => done(failing(451, secret)) })
      assert.strictEqual(later.reason, "the mail server refused the sender or the recipient (451)")

      const content = yield* refusedBy({
        onData: (stream, _session, done) => {
          stream.resume()
          stream.on("end", () => done(failing(554, secret)))
        }
      })
      assert.strictEqual(content.reason, "the mail server refused the message (554)")
      for (const { message } of [recipient, later, content]) assert.notInclude(message, "424242")
    })
  )

  it.live("reports refused credentials without repeating them", () =>
    Effect.gen(function* () {
      const refused = yield* refusedBy(
        { onAuth: (auth, _session, done) => done(failing(535, `bad password ${auth.password ?? ""}`)) },
        (port) => `smtp://user:${password}@127.0.0.1:${port}`
      )
      assert.strictEqual(refused.reason, "the mail server refused the credentials (535)")
      assert.notInclude(JSON.stringify(refused), password)
    })
  )

  it.live("refuses while the server is down", () =>
    Effect.gen(function* () {
      const port = yield* closedPort
      const refused = yield* Effect.flip(send(message)).pipe(
        Effect.provide(mailerAt(`smtp://user:${password}@127.0.0.1:${port}`))
      )
      assert.strictEqual(refused._tag, "MailRefused")
      assert.strictEqual(refused.reason, "no connection to the mail server (ECONNREFUSED)")
      assert.notInclude(JSON.stringify(refused), password)
    })
  )

  it.live("sends again when the server is back", () =>
    Effect.gen(function* () {
      let away = true
      const { port, received } = yield* openSmtpServer({
        onMailFrom: (_from, _session, done) => done(away ? failing(421, "closing") : null)
      })
      yield* Effect.gen(function* () {
        yield* Effect.flip(send(message))
        away = false
        yield* send(message)
      }).pipe(Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`)))
      assert.lengthOf(received, 1)
    })
  )

  it.live("does not wait for a server that does not respond", () =>
    Effect.gen(function* () {
      let asked = 0
      const { port } = yield* openSmtpServer({
        onMailFrom: () => {
          asked += 1
        }
      })
      const brief = [{ stepTimeout: "500 millis" }, { messageTimeout: "500 millis" }] as const
      for (const [before, limits] of brief.entries()) {
        const refused = yield* Effect.flip(send(message)).pipe(
          // On a slow machine, a message may time out before the server is asked.
          Effect.repeat({ until: () => asked > before, times: 40 }),
          Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`, limits))
        )
        assert.strictEqual(refused.reason, "the mail server did not answer in time")
      }
      assert.strictEqual(asked, 2)
    })
  )

  it.live("closes the connection when it is interrupted", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const left = yield* Deferred.make<void>()
      const context = yield* Effect.context()
      const tell = (signal: Deferred.Deferred<void>) =>
        void Effect.runForkWith(context)(Deferred.succeed(signal, undefined))
      const { port } = yield* openSmtpServer({
        onMailFrom: () => tell(asked),
        onClose: () => tell(left)
      })
      yield* Effect.gen(function* () {
        const sending = yield* Effect.forkChild(send(message))
        yield* Deferred.await(asked)
        yield* Fiber.interrupt(sending)
        yield* Deferred.await(left)
      }).pipe(Effect.provide(mailerAt(`smtp://127.0.0.1:${port}`)))
    })
  )

  it.live("does not send credentials to a remote server without encryption", () =>
    Effect.gen(function* () {
      const logins: Array<string> = []
      const { port, received } = yield* openSmtpServer({
        onAuth: (auth, _session, done) => {
          logins.push(auth.username ?? "")
          done(null, { user: auth.username ?? "" })
        }
      })
      // An address of loopback too, but not one by which the mailer knows it.
      const url = `smtp://user:${password}@[::ffff:127.0.0.1]:${port}`
      const refused = yield* Effect.flip(send(message)).pipe(Effect.provide(mailerAt(url)))
      assert.match(refused.reason, /^no encrypted connection to the mail server/u)
      assert.lengthOf(logins, 0)
      yield* send(message).pipe(Effect.provide(mailerAt(`${url}?ignoreTLS=true`)))
      assert.lengthOf(received, 1)
    })
  )

  it.live.each([
    "",
    "example.com",
    "smtp://",
    "smtp:///path",
    `http://user:${password}@example.com`,
    `smtp://user:${password}@exa mple.com:25`
  ])("refuses to start with SMTP_URL=%s, and does not repeat it", (url) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(send(message).pipe(Effect.provide(mailerAt(url))))
      assert.strictEqual(refused.message, "SMTP_URL is not an address like smtp://user:password@host:587")
    })
  )

  it.live.each([
    "",
    "nobody",
    "a@example.com, b@example.com",
    "Ann <a@example.com> <b@example.com>",
    "Ann\r\nBcc: eve@example.com <a@example.com>",
    from.replace("no-reply@", "")
  ])("refuses to start with MAIL_FROM=%s", (wrong) =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(
        send(message).pipe(Effect.provide(mailerAt("smtp://127.0.0.1:1", { from: wrong })))
      )
      assert.strictEqual(refused.message, "MAIL_FROM is not one email address")
    })
  )
})
