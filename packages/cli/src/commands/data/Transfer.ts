/** `livery export` and `livery import`: move the data of one business to another installation, as lines of JSON. */
import { Console, Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { BusinessTransfer, type Conflict, type NotFound } from "@livery/domain"
import { createReadStream } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { actor } from "../../usage/Actor.ts"
import { businessArgument } from "../administration/AdminCommand.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { Livery } from "../../composition/Composition.ts"
import { progressBar } from "../../terminal/Progress.ts"
import { CommandRefused, refused } from "../../usage/Refusal.ts"
import { printable } from "../../terminal/TerminalLine.ts"

/** What to do about the usual errors of the file system. */
const remedies: Readonly<Record<string, string>> = {
  ENOENT: "does not exist: check the path",
  ENOTDIR: "is no path: check it",
  EISDIR: "is a directory: name a file",
  EACCES: "may not be used by this user: check its permissions",
  ENOSPC: "does not fit on the disk: free some space"
}

const failedFile = (path: string) => (cause: unknown) => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const { [code]: remedy } = remedies
  const message = cause instanceof Error ? cause.message : String(cause)
  return new CommandRefused({
    type: "conflict",
    reason: remedy === undefined ? message : `${printable(path)} ${remedy}`
  })
}

/** A step on a file; the error names the path. */
const fileStep = <A>(path: string, step: () => Promise<A>) =>
  Effect.tryPromise({ try: step, catch: failedFile(path) })

const domainErrorsRefused = Effect.catchTags({
  Conflict: (error: Conflict) => Effect.fail(refused(error)),
  NotFound: (error: NotFound) => Effect.fail(refused(error))
})

/**
 * Opens `file.partial`, and returns `write`, which adds a line, and `complete`, which renames the file to `file`.
 * `Conflict` if `file` exists.
 */
export const openExportFile = Effect.fnUntraced(function* (file: string) {
  const partial = `${file}.partial`
  const taken = yield* fileStep(file, () =>
    open(file, "r").then(
      (handle) => handle.close().then(() => true),
      () => false
    )
  )
  if (taken)
    return yield* new CommandRefused({
      type: "conflict",
      reason: `${file} exists already: choose another path`
    })
  const handle = yield* Effect.acquireRelease(
    // A file that is to be written can lack its directory only.
    fileStep(dirname(file), () => open(partial, "w", 0o600)),
    (handle) =>
      Effect.promise(async () => {
        await handle.close()
        await rm(partial, { force: true })
      })
  )
  const write = (line: string) =>
    // `write` may write fewer bytes than it was given.
    fileStep(file, () => handle.writeFile(line))
  const complete = fileStep(file, async () => {
    await handle.sync()
    await rename(partial, file)
  })
  return { write, complete }
})

export const exportCommand = Command.make(
  "export",
  {
    businessId: businessArgument,
    file: Argument.String("file").pipe(
      Argument.withDescription("The file to write, which does not exist yet")
    ),
    json
  },
  Effect.fn(function* ({ businessId, file, json: asJson }) {
    const bar = progressBar("Exporting")
    const made = yield* Effect.gen(function* () {
      const transfer = yield* BusinessTransfer
      const { complete, write } = yield* openExportFile(file)
      return yield* transfer.exportBusiness({
        businessId,
        actor: actor(),
        write,
        complete,
        onProgress: bar.update
      })
    }).pipe(Effect.scoped, Effect.provide(Livery), domainErrorsRefused, Effect.ensuring(Effect.sync(bar.end)))
    yield* Console.log(
      asJson ? JSON.stringify({ file, ...made }) : `${file}: ${made.rows} rows of business ${businessId}`
    )
  })
).pipe(
  Command.withDescription(descriptions.export),
  Command.withExamples([
    { command: "livery export 7 hopper-cars.jsonl", description: "In one snapshot, while the server runs" }
  ])
)

/** The text of a file, which is read anew each time. */
const textOf = (file: string) =>
  Stream.suspend(() =>
    Stream.fromAsyncIterable<string, CommandRefused>(createReadStream(file, "utf8"), failedFile(file))
  )

// The name is between backticks: the check of dependencies would take a quoted text here for the name of an imported
// module.
export const importCommand = Command.make(
  `import`,
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file that livery export wrote")),
    slug: Flag.String("slug").pipe(
      Flag.withDefault(""),
      Flag.withDescription(
        "Another slug for the booking page, if another business of this installation has the same one"
      )
    ),
    json
  },
  Effect.fn(function* ({ file, json: asJson, slug }) {
    const bar = progressBar("Importing")
    const made = yield* BusinessTransfer.use((transfer) =>
      transfer.importBusiness({
        file,
        text: textOf(file),
        actor: actor(),
        slug: slug === "" ? undefined : slug,
        onProgress: bar.update
      })
    ).pipe(Effect.provide(Livery), domainErrorsRefused, Effect.ensuring(Effect.sync(bar.end)))
    yield* Console.log(
      asJson
        ? JSON.stringify({ business_id: made.businessId, rows: made.rows, resumed: made.isResumed })
        : `Business ${made.businessId}: ${made.rows} rows, equal in number and checksum. Give it a user with livery users assign`
    )
  })
).pipe(
  Command.withDescription(descriptions.import),
  Command.withExamples([
    {
      command: "livery import hopper-cars.jsonl",
      description: "After an interruption, the same command continues"
    }
  ])
)
