/** `livery import-table`: makes the lines of a table records of a business, as `POST /imports` does. */
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  ActingBusiness,
  BusinessId,
  BusinessRepository,
  ImportId,
  ImportKind,
  Imports,
  mapOfText,
  NotFound
} from "@livery/domain"
import { readFile, writeFile } from "node:fs/promises"
import { Livery } from "../../composition/Composition.ts"
import { progressBar } from "../../terminal/Progress.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { json } from "../../usage/JsonFlag.ts"
import { CommandRefused, refused } from "../../usage/Refusal.ts"

const asRefusal = (reason: string) => new CommandRefused({ type: "invalid_request", reason })

const fileStep = <A>(step: () => Promise<A>) =>
  Effect.tryPromise({
    try: step,
    catch: (cause) => asRefusal(cause instanceof Error ? cause.message : String(cause))
  })

/** The map of the flag: a built-in one, JSON, or the path of a file with JSON. */
const mapOf = Effect.fnUntraced(function* (text: string) {
  const known = mapOfText(text)
  if (Option.isSome(known)) return known.value
  const read = mapOfText(yield* fileStep(() => readFile(text, "utf8")))
  return yield* Effect.mapError(Effect.fromOption(read), () =>
    asRefusal(`--map is plain, limo_anywhere, moovs, or JSON with the field of each header`)
  )
})

export const importTable = Command.make(
  "import-table",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The table: CSV or XLSX")),
    as: Flag.Literals("as", ImportKind.literals).pipe(Flag.withDescription("What its lines are")),
    business: Flag.Int("business").pipe(
      Flag.withSchema(BusinessId),
      Flag.withDescription("The id of the business, as in livery businesses list")
    ),
    map: Flag.String("map").pipe(
      Flag.withDefault(""),
      Flag.withDescription(
        "plain, limo_anywhere, moovs, or JSON with the field of each header, also in a file; by default, all built-in maps"
      )
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Say what would become of each line, and store nothing"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fn(function* ({ as, business, dryRun, file, json: asJson, map }) {
    const bar = progressBar("Importing")
    const { done, refusedFile } = yield* Effect.gen(function* () {
      const imports = yield* Imports
      const found = yield* (yield* BusinessRepository).find(business)
      if (Option.isNone(found)) return yield* new NotFound({ resource: "business" })
      const acting = ActingBusiness.make(found.value)
      const bytes = yield* fileStep(() => readFile(file))
      const started = yield* imports.start(acting, bytes, as, { dryRun, map: yield* mapOf(map) })
      const importId = ImportId.make(started.import_id)
      const place = { business_id: acting.business_id, import_id: importId }
      for (;;) {
        // A server on the same database may work on the import too.
        const hasMore = yield* imports.work(place)
        const current = yield* imports.get(acting, importId)
        bar.update(current.done, current.lines)
        if (current.status !== "running") break
        if (!hasMore) yield* Effect.sleep("200 millis")
      }
      const done = yield* imports.get(acting, importId)
      if (done.refused === 0) return { done, refusedFile: null }
      const refusedFile = `${file}.refused.csv`
      const table = yield* imports.refused(acting, importId)
      yield* fileStep(() => writeFile(refusedFile, table))
      return { done, refusedFile }
    }).pipe(
      Effect.provide(Livery),
      Effect.catchTags({
        InvalidInput: (error) => Effect.fail(refused(error)),
        NotFound: (error) => Effect.fail(refused(error))
      }),
      Effect.ensuring(Effect.sync(bar.end))
    )
    const { changed, lines, made, matched, reason, refused: left } = done
    yield* Console.log(
      asJson
        ? JSON.stringify({ ...done, refused_file: refusedFile })
        : [
            `${lines} lines${dryRun ? ", nothing stored" : ""}: ${made} made, ${matched} matched, ${changed} changed, ${left} refused`,
            ...(reason === null ? [] : [reason]),
            ...(refusedFile === null ? [] : [`The refused lines, with the reason of each: ${refusedFile}`])
          ].join("\n")
    )
  })
).pipe(
  Command.withDescription(descriptions["import-table"]),
  Command.withExamples([
    {
      command: "livery import-table customers.xlsx --as customers --business 7 --dry-run",
      description: "What would become of each line"
    }
  ])
)
