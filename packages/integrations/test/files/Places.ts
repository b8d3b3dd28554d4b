/** Directories and buckets for tests, which are removed with the scope. */
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3"
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
  yield* Effect.promise(async () => {
    const client = new S3Client({
      region: options.region,
      endpoint: options.endpoint,
      forcePathStyle: true
    })
    await client.send(new CreateBucketCommand({ Bucket: options.bucket }))
    client.destroy()
  })
  return options
})
