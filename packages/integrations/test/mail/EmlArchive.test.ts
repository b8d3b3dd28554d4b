import { BusinessId, CustomerId, DriverId, Mailer, type NamedRecord, SentMail, TripId } from "@livery/domain"
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

const send = (directory: string, to: string, business?: BusinessId, names?: ReadonlyArray<NamedRecord>) =>
  Mailer.use((mailer) =>
    mailer.send(
      {
        ...(business === undefined ? {} : { business_id: business }),
        ...(names === undefined ? {} : { names }),
        to,
        subject: "Your code",
        text: "Write to ann@example.com\n"
      },
      stamp
    )
  ).pipe(Effect.provide(EmlMailer.layer({ directory })))

const eraseOf = (business: BusinessId | null, directory: string, ...addresses: ReadonlyArray<string>) =>
  SentMail.use((mail) => mail.erase(business, { addresses, erasedAmong: () => Effect.succeed([]) })).pipe(
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

  it.effect("erases the messages of a business that name an erased record, also those to other people", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const trips = Array.from({ length: 40 }, (_, index) => ({ trip_id: TripId.make(index + 1) }))
      for (const [to, business, names] of [
        ["office@example.com", one, [...trips, { driver_id: DriverId.make(3) }]],
        ["driver@example.com", one, [{ trip_id: TripId.make(41) }, { customer_id: CustomerId.make(40) }]],
        ["office@example.org", other, [{ trip_id: TripId.make(40) }]],
        ["bea@example.com", one, undefined]
      ] as const)
        yield* send(directory, to, business, names)
      const asked: Array<string> = []
      const erased = SentMail.use((mail) =>
        mail.erase(one, {
          addresses: [],
          erasedAmong: (named) => {
            asked.push(...named.map(({ id, kind }) => `${kind}:${id}`))
            return Effect.succeed(named.filter(({ id, kind }) => kind === "trip" && id === 40))
          }
        })
      )
      assert.strictEqual(yield* Effect.provide(erased, EmlArchive.layer({ directory })), 1)
      assert.includeMembers(asked, ["trip:1", "trip:40", "driver:3", "trip:41", "customer:40"])
      assert.lengthOf(asked, 43)
      assert.sameMembers(yield* recipients(directory), [
        "driver@example.com",
        "office@example.org",
        "bea@example.com"
      ])
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
