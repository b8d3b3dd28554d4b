import { type FileHandle, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type MailMessage, Mailer } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { EmlMailer } from "@livery/integrations"
import { Effect, Layer, Logger } from "effect"
import { TestClock } from "effect/testing"
import PostalMime from "postal-mime"
import { vi } from "vitest"
import { forged, messages, stamp } from "./SampleMessages.ts"

const message = { to: "ann@example.com", subject: "Your code", text: "The code is 424242.\n" }

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-mail-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true }))
)

const send = (given: MailMessage) => Mailer.use((mailer) => mailer.send(given, stamp))

const filesIn = (directory: string) => Effect.promise(() => readdir(directory).catch((): Array<string> => []))

describe("EmlMailer", () => {
  it.effect.each(messages)("writes a message unchanged: $title", (given) =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "mail")
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 9, 30, 0, 123))
      yield* send(given).pipe(
        Effect.provide(EmlMailer.layer({ directory, from: "Example Cars <cars@example.com>" }))
      )
      const [name = "", ...others] = yield* filesIn(directory)
      assert.lengthOf(others, 0)
      const source = yield* Effect.promise(() => readFile(join(directory, name), "utf8"))
      const mail = yield* Effect.promise(() => PostalMime.parse(source))
      assert.strictEqual(mail.subject, given.subject)
      assert.strictEqual((mail.text ?? "").trimEnd(), given.text.trimEnd())
      assert.deepStrictEqual(mail.to, [{ name: "", address: given.to }])
      assert.deepStrictEqual(mail.from, { name: "Example Cars", address: "cars@example.com" })
      assert.strictEqual(mail.date, "2026-11-20T09:30:00.000Z")
      assert.isUndefined(mail.bcc)
      assert.isTrue(source.split("\r\n").every((line) => line.length <= 998 && !line.includes("\n")))
    })
  )

  it.effect("writes an attachment byte for byte, and the address for replies", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const content = Uint8Array.from({ length: 5000 }, (_, index) => index % 256)
      const attachments = [{ file_name: "INV-000001 é.pdf", content_type: "application/pdf", content }]
      yield* send({ ...message, reply_to: "cars@example.com", attachments }).pipe(
        Effect.provide(EmlMailer.layer({ directory }))
      )
      const [name = ""] = yield* filesIn(directory)
      const mail = yield* Effect.promise(async () =>
        PostalMime.parse(await readFile(join(directory, name)), { attachmentEncoding: "arraybuffer" })
      )
      assert.deepStrictEqual(mail.replyTo, [{ name: "", address: "cars@example.com" }])
      assert.strictEqual(mail.text?.trim(), message.text.trim())
      assert.lengthOf(mail.attachments, 1)
      const [attached] = mail.attachments
      assert.deepInclude(attached, {
        filename: "INV-000001 é.pdf",
        mimeType: "application/pdf",
        disposition: "attachment"
      })
      const bytes = attached?.content
      assert.instanceOf(bytes, ArrayBuffer)
      assert.deepStrictEqual(new Uint8Array(bytes), content)
    })
  )

  it.effect("returns when the message is on the disk, because its row in the outbox is deleted then", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const handle = yield* Effect.promise(() => open(import.meta.filename))
      yield* Effect.promise(() => handle.close())
      const sync = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, "sync")
      yield* Effect.addFinalizer(() => Effect.sync(() => sync.mockRestore()))
      yield* send(message).pipe(Effect.provide(EmlMailer.layer({ directory })))
      // The file, and its name in the directory.
      assert.isAtLeast(sync.mock.calls.length, process.platform === "win32" ? 1 : 2)
    })
  )

  it.effect("names the file by its time in UTC, readable by its owner only", () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "deep", "mail")
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 9, 30, 0, 123))
      yield* Effect.forEach(Array.from({ length: 20 }), () => send(message), {
        concurrency: "unbounded"
      }).pipe(Effect.provide(EmlMailer.layer({ directory })))
      const names = yield* filesIn(directory)
      assert.lengthOf(names, 20)
      for (const name of names) {
        assert.match(name, /^20261120T093000\.123Z-[0-9a-f]{8}\.eml$/u)
        const { mode } = yield* Effect.promise(() => stat(join(directory, name)))
        assert.strictEqual(mode & 0o777, 0o600)
      }
      assert.strictEqual((yield* Effect.promise(() => stat(directory))).mode & 0o777, 0o700)
    })
  )

  it.effect("logs the path of each message once, and not its content", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const lines: Array<string> = []
      const logger = Logger.map(Logger.formatJson, (line) => {
        lines.push(line)
      })
      yield* send(message).pipe(
        Effect.provide(Layer.merge(EmlMailer.layer({ directory }), Logger.layer([logger])))
      )
      const [name = ""] = yield* filesIn(directory)
      assert.lengthOf(lines, 1)
      assert.include(lines[0], join(directory, name))
      assert.include(lines[0], '"INFO"')
      assert.notInclude(lines[0], "424242")
    })
  )

  it.effect.each(forged)("refuses a message with $title, and writes nothing", (given) =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const refused = yield* Effect.flip(send(given)).pipe(Effect.provide(EmlMailer.layer({ directory })))
      assert.strictEqual(refused._tag, "MailRefused")
      assert.lengthOf(yield* filesIn(directory), 0)
    })
  )

  it.effect("refuses if the disk refuses, and leaves no incomplete file", () =>
    Effect.gen(function* () {
      const parent = yield* temporary
      const directory = join(parent, "mail")
      yield* Effect.promise(() => writeFile(directory, "a file where the directory should be"))
      const refused = yield* Effect.flip(send(message)).pipe(Effect.provide(EmlMailer.layer({ directory })))
      assert.match(refused.reason, /^the message could not be written \(E[A-Z]+\)$/u)
      assert.deepStrictEqual(yield* filesIn(parent), ["mail"])
    })
  )

  it.effect("refuses to start with a MAIL_FROM that is not one address", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const refused = yield* Effect.flip(
        send(message).pipe(Effect.provide(EmlMailer.layer({ directory, from: "a@example.com\nBcc: b@c.de" })))
      )
      assert.strictEqual(refused.message, "MAIL_FROM is not one email address")
    })
  )
})
