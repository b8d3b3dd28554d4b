/**
 * pg-boss, with batches and without a pause between full ones. With `BENCH_FILL` it puts that many jobs into its queue
 * and ends; else it works until the process is ended.
 */
import { type Job, jobs, post } from "./Post.ts"

interface Boss {
  readonly on: (event: "error", listen: (error: Error) => void) => void
  readonly start: () => Promise<unknown>
  readonly stop: () => Promise<void>
  readonly createQueue: (queue: string) => Promise<void>
  readonly insert: (queue: string, jobs: ReadonlyArray<{ readonly data: Job }>) => Promise<unknown>
  readonly work: (
    queue: string,
    options: Readonly<Record<string, unknown>>,
    handle: (jobs: ReadonlyArray<{ readonly data: Job }>) => Promise<void>
  ) => Promise<string>
}
interface PgBossModule {
  readonly PgBoss: new (options: Readonly<Record<string, unknown>>) => Boss
}

// A variable, so that the compiler does not resolve the module: it is installed for the benchmark alone.
const name: string = "pg-boss"
const { PgBoss } = (await import(name)) as PgBossModule

const boss = new PgBoss({ connectionString: process.env["BENCH_DATABASE"], max: 10 })
boss.on("error", (error) => process.stderr.write(`${error.message}\n`))
await boss.start()
if (process.env["BENCH_FILL"] === undefined)
  await boss.work(
    "post",
    { batchSize: 50, localConcurrency: 4, pollingIntervalSeconds: 0.5, burstWhenBatchFull: true },
    async (batch) => {
      await Promise.all(batch.map(({ data }) => post(data)))
    }
  )
else {
  await boss.createQueue("post")
  for (const part of jobs())
    await boss.insert(
      "post",
      part.map((data) => ({ data }))
    )
  await boss.stop()
}
