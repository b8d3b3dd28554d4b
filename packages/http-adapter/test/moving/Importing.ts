/** Importing tables over HTTP, and doing the work of the worker. */
import { assert } from "@effect/vitest"
import { ImportSweep, RateCounters, UseCases } from "@livery/domain"
import { Effect, Layer } from "effect"
import { company } from "../support/Fleet.ts"
import { openServer, record, records } from "../support/TestServer.ts"
import { submitTo } from "../uploads/Submission.ts"

/** Does all work of the imports that waits, as one node does. */
export const sweep = Effect.flatten(ImportSweep.makeSweep).pipe(
  Effect.provide(Layer.provide(UseCases, RateCounters.layerMemory))
)

/** Fields by name. */
type Row = Readonly<Record<string, unknown>>

/** A business whose tables are imported. `run` imports a table, and returns the import once it has ended. */
export const given = Effect.gen(function* () {
  const server = yield* openServer()
  const owner = yield* company(server)
  const { key, send } = owner
  const submit = (path: string, as: string, file: string | Uint8Array<ArrayBuffer>, fields: Row = {}) => {
    const form = new FormData()
    form.set("file", new Blob([file]), "table.csv")
    form.set("as", as)
    for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
    return submitTo(server, path, key, form)
  }
  const start = (as: string, file: string | Uint8Array<ArrayBuffer>, fields: Row = {}) =>
    submit("/imports", as, file, fields)
  const columns = (as: string, file: string, fields: Row = {}) => submit("/imports/columns", as, file, fields)
  const read = (id: unknown) => Effect.map(send("GET", `/imports/${String(id)}`), record)
  const run = Effect.fnUntraced(function* (
    as: string,
    file: string | Uint8Array<ArrayBuffer>,
    fields: Row = {}
  ) {
    const answer = yield* start(as, file, fields)
    assert.strictEqual(answer.status, 202, answer.text)
    yield* sweep
    return yield* read(record(answer)["import_id"])
  })
  const all = (path: string) => Effect.map(send("GET", path), records)
  const lines = (made: Row, query = "") =>
    Effect.map(send("GET", `/imports/${String(made["import_id"])}/lines${query}`), records)
  const refused = (made: Row) =>
    Effect.map(send("GET", `/imports/${String(made["import_id"])}/refused`), ({ text }) => text)
  return { ...owner, all, columns, lines, read, refused, run, server, start }
})

/** The fields of an import that has ended. */
export const counts = (made: number, matched: number, changed: number, refused: number) => ({
  status: "finished",
  lines: made + matched + changed + refused,
  done: made + matched + changed + refused,
  made,
  matched,
  changed,
  refused
})
