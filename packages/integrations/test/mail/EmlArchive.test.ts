import { BusinessId, Mailer, SentMail } from "@livery/domain"
import { EmlArchive, EmlMailer } from "@livery/integrations"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { stamp } from "./SampleMessages.ts"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-mail-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true }))
)
const [one, other] = [BusinessId.make(7), BusinessId.make(77)]

const send = (directory: string, to: string, business?: BusinessId) =>
  Mailer.use((mailer) =>
    mailer.send(
      {
        ...(business === undefined ? {} : { business_id: business }),
        to,
        subject: "Your code",
        text: "Write to ann@example.com\n"
      },
      stamp
    )
  ).pipe(Effect.provide(EmlMailer.layer({ directory })))

const eraseOf = (business: BusinessId | null, directory: string, ...addresses: ReadonlyArray<string>) =>
  SentMail.use((mail) => mail.eraseTo(business, addresses)).pipe(
    Effect.provide(EmlArchive.layer({ directory }))
  )

const erase = (directory: string, ...addresses: ReadonlyArray<string>) =>
  eraseOf(null, directory, ...addresses)

/** The headers `To` of the files in a directory. */
const recipients = (directory: string) =>
  Effect.promise(async () => {
    const names = await readdir(directory)
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")))
    return texts.map((text) => /^to: (.*)$/imu.exec(text)?.[1])
  })

describe("EmlArchive", () => {
  it.effect("erases the messages to an address, and none to an address that contains it", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const others = ["ann@example.com.au", "joann@example.com", "o.ann@example.com"]
      for (const to of ["ann@example.com", "Ann@Example.com", ...others]) yield* send(directory, to)
      assert.strictEqual(yield* erase(directory), 0)
      assert.strictEqual(yield* erase(directory, "ann@example.com"), 2)
      assert.sameMembers(yield* recipients(directory), others)
    })
  )

  it.effect("erases for a business only the messages that it sent", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      for (const business of [one, other, undefined]) yield* send(directory, "ann@example.com", business)
      assert.strictEqual(yield* eraseOf(one, directory, "ann@example.com"), 1)
      assert.strictEqual(yield* eraseOf(one, directory, "ann@example.com"), 0)
      assert.strictEqual(yield* eraseOf(other, directory, "ann@example.com"), 1)
      assert.strictEqual(yield* erase(directory, "ann@example.com"), 1)
    })
  )

  it.effect("finds an address among several, with names, on several lines", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const file = join(directory, "given.eml")
      const text = 'To: "Bea, ann@example.com" <bea@example.com>,\r\n Ann <ann@example.org>\r\n\r\nHello\r\n'
      yield* Effect.promise(() => writeFile(file, text))
      assert.strictEqual(yield* erase(directory, "ann@example.com"), 0)
      assert.strictEqual(yield* erase(directory, "ann@example.org"), 1)
    })
  )

  it.effect("erases the incomplete message of a process that was killed", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      yield* Effect.promise(async () => {
        for (const [name, text] of [
          [".1.eml.partial", "To: ann@example.com\r\n\r\nHello"],
          [
            ".2.eml.0f8fad5b-d9cb-469f-a165-70867728950e.partial",
            "From: livery@localhost\r\nTo: ann@example.com\r\nSub"
          ],
          [".3.eml.partial", "To: joann@example.com\r\n\r\nHello"]
        ] as const)
          await writeFile(join(directory, name), text)
      })
      assert.strictEqual(yield* erase(directory, "ann@example.com"), 2)
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(directory)), [".3.eml.partial"])
    })
  )

  it.effect("erases nothing if the directory is absent", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* erase(join(yield* temporary, "absent"), "ann@example.com"), 0)
    })
  )
})
