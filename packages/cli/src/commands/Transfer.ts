/** `livery export` and `livery import`: move the data of one business to another installation, as lines of JSON. */
import { Console, Effect, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AuditLog, type Conflict, type NotFound } from "@livery/domain"
import { BusinessExport, BusinessImport } from "@livery/persistence"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { createInterface } from "node:readline"
import { actor } from "../Actor.ts"
import { businessArgument } from "../AdminCommand.ts"
import { descriptions } from "../Descriptions.ts"
import { json } from "../JsonFlag.ts"
import { Livery } from "../Composition.ts"
import { progressBar } from "../Progress.ts"
import { CommandRefused, refused } from "../Refusal.ts"
import { printable } from "../TerminalLine.ts"

/** The format that this version writes and reads. */
const exportFormat = 1

const Head = Schema.Struct({
  livery_export: Schema.Int,
  business_id: Schema.Int,
  plan: Schema.String,
  business: Schema.Record(Schema.String, Schema.Json)
})
const Row = Schema.Struct({ table: Schema.String, row: Schema.Record(Schema.String, Schema.Json) })
const End = Schema.Struct({
  end: Schema.Literal(true),
  tables: Schema.Record(Schema.String, Schema.Struct({ rows: Schema.Int, sum: Schema.String })),
  sha256: Schema.String
})
const decodeHead = Schema.decodeUnknownEffect(Schema.fromJsonString(Head))
const decodeEnd = Schema.decodeUnknownEffect(Schema.fromJsonString(End))
const RowLine = Schema.fromJsonString(Row)
const decodeRow = Schema.decodeUnknownSync(RowLine)

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
const openExportFile = Effect.fnUntraced(function* (file: string) {
  const partial = `${file}.partial`
  const taken = yield* fileStep(file, () =>
    open(file, "r").then(
      (handle) => handle.close().then(() => true),
      () => false
    )
  )
  if (taken) return yield* new CommandRefused({ type: "conflict", reason: `${file} exists already` })
  const handle = yield* Effect.acquireRelease(
    // A file that is to be written can lack its directory only.
    fileStep(dirname(file), () => open(partial, "w", 0o600)),
    (handle) =>
      Effect.promise(async () => {
        await handle.close()
        await rm(partial, { force: true })
      })
  )
  const hash = createHash("sha256")
  const write = (value: unknown) => {
    const isEnd = typeof value === "object" && value !== null && "end" in value
    const line = `${JSON.stringify(isEnd ? { ...value, sha256: hash.copy().digest("hex") } : value)}\n`
    hash.update(line)
    return fileStep(file, async () => {
      await handle.write(line)
    })
  }
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
      const { complete, write } = yield* openExportFile(file)
      const made = yield* BusinessExport.exportBusiness({ businessId, write, onProgress: bar.update })
      yield* complete
      const audit = yield* AuditLog
      yield* audit.record({
        actor: actor(),
        action: "business.exported",
        subject: `business:${businessId}`,
        businessId,
        after: { rows: made.rows }
      })
      return made
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

const linesOf = (file: string) => createInterface({ input: createReadStream(file), crlfDelay: Infinity })

const batch = 500

/** The rows of a file, in batches. The rows of a batch are of one table. */
async function* batchesOf(file: string): AsyncGenerator<ReadonlyArray<typeof Row.Type>> {
  let rows: Array<typeof Row.Type> = []
  for await (const line of linesOf(file)) {
    if (!line.startsWith('{"table"')) continue
    const row = decodeRow(line)
    if (rows.length >= batch || (rows[0] !== undefined && rows[0].table !== row.table)) {
      yield rows
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) yield rows
}

/** The columns of a row; none if the line is no row, which the checksum shows. */
const columnsOf = (line: string) =>
  Option.match(Schema.decodeOption(RowLine)(line), {
    onNone: () => [],
    onSome: ({ row }) => Object.keys(row)
  })

/** Reads a file once, and checks that it is complete and unchanged before anything is imported. */
const readExport = Effect.fnUntraced(function* (file: string) {
  const incomplete = new CommandRefused({
    type: "conflict",
    reason: `${file} is not a complete export of Livery`
  })
  const read = yield* fileStep(file, async () => {
    const hash = createHash("sha256")
    const columns: Record<string, ReadonlyArray<string>> = {}
    let [first, last, table] = ["", "", ""]
    for await (const line of linesOf(file)) {
      if (first === "") first = line
      if (last !== "") hash.update(`${last}\n`)
      last = line
      // The rows of a table stand together.
      const [, name = ""] = /^\{"table":"(\w+)"/u.exec(line) ?? []
      if (name !== table && name !== "") columns[name] = columnsOf(line)
      table = name
    }
    return { first, last, columns, sha256: hash.digest("hex") }
  })
  const head = yield* Effect.mapError(decodeHead(read.first), () => incomplete)
  if (head.livery_export !== exportFormat)
    return yield* new CommandRefused({
      type: "conflict",
      reason: `${file} has format ${head.livery_export}, and this Livery reads format ${exportFormat}: import it with the version that exported it`
    })
  const end = yield* Effect.mapError(decodeEnd(read.last), () => incomplete)
  if (end.sha256 !== read.sha256)
    return yield* new CommandRefused({
      type: "conflict",
      reason: `${file} was changed after the export: its checksum differs`
    })
  return {
    sha256: read.sha256,
    sourceId: head.business_id,
    plan: head.plan,
    business: head.business,
    tables: end.tables,
    columns: read.columns,
    batches: Stream.suspend(() => Stream.fromAsyncIterable(batchesOf(file), failedFile(file)))
  }
})

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
    const made = yield* Effect.flatMap(readExport(file), (exported) =>
      BusinessImport.importBusiness(exported, {
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
