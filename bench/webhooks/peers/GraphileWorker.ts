/**
 * graphile-worker, set up as its guide to performance says: jobs fetched and completed in batches, nothing logged.
 * With `BENCH_FILL` it puts that many jobs into its queue and ends; else it works until the process is ended.
 */
import { type Job, jobs, post } from "./Post.ts"

interface Utils {
  readonly migrate: () => Promise<void>
  readonly addJobs: (
    specs: ReadonlyArray<{ readonly identifier: string; readonly payload: Job }>
  ) => Promise<unknown>
  readonly release: () => Promise<void>
}
interface GraphileWorker {
  readonly Logger: new (factory: () => () => void) => unknown
  readonly makeWorkerUtils: (options: Readonly<Record<string, unknown>>) => Promise<Utils>
  readonly run: (options: {
    readonly preset: { readonly worker: Readonly<Record<string, unknown>> }
    readonly taskList: { readonly post: (job: Job) => Promise<void> }
  }) => Promise<{ readonly promise: Promise<void> }>
}

// A variable, so that the compiler does not resolve the module: it is installed for the benchmark alone.
const name: string = "graphile-worker"
const { Logger, makeWorkerUtils, run } = (await import(name)) as GraphileWorker

const worker = {
  connectionString: process.env["BENCH_DATABASE"],
  logger: new Logger(() => () => undefined)
}

if (process.env["BENCH_FILL"] === undefined) {
  const tuned = {
    concurrentJobs: 200,
    maxPoolSize: 10,
    pollInterval: 500,
    localQueue: { size: 500 },
    completeJobBatchDelay: 0,
    failJobBatchDelay: 0
  }
  const runner = await run({ preset: { worker: { ...worker, ...tuned } }, taskList: { post } })
  await runner.promise
} else {
  const utils = await makeWorkerUtils(worker)
  await utils.migrate()
  for (const part of jobs()) await utils.addJobs(part.map((payload) => ({ identifier: "post", payload })))
  await utils.release()
}
