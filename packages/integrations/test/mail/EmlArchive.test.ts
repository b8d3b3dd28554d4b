import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Mailer, SentMail } from "@livery/domain"
import { assert, describe, it } from "@effect/vitest"
import { EmlArchive, EmlMailer } from "@livery/integrations"
import { Effect } from "effect"

const temporary = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-mail-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true }))
)

describe("EmlArchive", () => {
  it.effect("deletes the messages to an address, and keeps those to an address that contains it", () =>
    Effect.gen(function* () {
      const directory = yield* temporary
      const eraseTo = (addresses: ReadonlyArray<string>) =>
        Effect.provide(
          Effect.flatMap(SentMail, (sent) => sent.eraseTo(addresses)),
          EmlArchive.layer({ directory })
        )
      for (const to of ["ann@example.com", "joann@example.com", "ann@example.com.au"])
        yield* Mailer.use((mailer) => mailer.send({ to, subject: "Ride", text: "ann@example.com" })).pipe(
          Effect.provide(EmlMailer.layer({ directory }))
        )
      assert.strictEqual(yield* eraseTo([]), 0)
      assert.strictEqual(yield* eraseTo(["ann@example.com"]), 1)
      assert.lengthOf(yield* Effect.promise(() => readdir(directory)), 2)
      assert.strictEqual(yield* eraseTo(["joann@example.com", "ann@example.com.au"]), 2)
    })
  )
})
