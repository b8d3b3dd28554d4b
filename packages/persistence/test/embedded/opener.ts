// A process that opens the embedded database with the options in its first argument, prints the URL in one line, and
// closes the database when its standard input ends.
import { Effect, Redacted } from "effect"
import { once } from "node:events"
import { EmbeddedPostgres } from "../../src/embedded/EmbeddedPostgres.ts"

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { started, url } = yield* EmbeddedPostgres.open(JSON.parse(process.argv[2] ?? "{}"))
      process.stdout.write(`${JSON.stringify({ started, url: Redacted.value(url) })}\n`)
      yield* Effect.promise(() => once(process.stdin.resume(), "end"))
    })
  )
)
