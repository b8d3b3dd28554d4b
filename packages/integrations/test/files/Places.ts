/** Directories and buckets for tests, which are removed with the scope. */
import { AwsClient } from "aws4fetch"
import { Effect } from "effect"
import { startFauxqs } from "fauxqs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An empty directory. */
export const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "livery-files-"))),
  (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
)

/** A bucket of a new service on loopback. The keys are for tests only. */
export const bucket = Effect.gen(function* () {
  process.env["AWS_ACCESS_KEY_ID"] ??= "test"
  process.env["AWS_SECRET_ACCESS_KEY"] ??= "test"
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startFauxqs({ port: 0, logger: false })),
    (server) => Effect.promise(() => server.stop())
  )
  const options = {
    bucket: "pictures",
    prefix: "livery/files",
    region: "us-east-1",
    endpoint: `http://127.0.0.1:${server.port}`
  }
  const client = new AwsClient({ accessKeyId: "test", secretAccessKey: "test", service: "s3" })
  const made = yield* Effect.promise(() =>
    client.fetch(`${options.endpoint}/${options.bucket}`, { method: "PUT" })
  )
  if (!made.ok) return yield* Effect.die(`The bucket was not made: ${made.status}`)
  return options
})
