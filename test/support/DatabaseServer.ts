/** A PostgreSQL of a test's own, which the test stops and starts. */
import { Effect, Redacted } from "effect"
import { mkdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Client } from "pg"
import { start, stop } from "../../packages/persistence/src/embedded/Cluster.ts"
import { addressOf } from "../../packages/persistence/src/embedded/Connection.ts"
import { clusterOf } from "../../packages/persistence/src/embedded/EmbeddedPostgres.ts"
import { readPostmaster } from "../../packages/persistence/src/embedded/Postmaster.ts"
import { copyDirectory } from "./ScratchDirectory.ts"

export interface DatabaseServer {
  /** The address of its database. It stays the same after a stop. */
  readonly url: string
  /** The directory of its socket, and its port. */
  readonly host: string
  readonly port: number
  /** The directory of its data, which may be copied while it is stopped. */
  readonly data: string
  readonly query: (statement: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly stop: () => Promise<void>
  readonly start: () => Promise<void>
}

/** Starts a server in that directory, on a copy of the data of a stopped one. */
export const databaseServer = async (directory: string, dataOfStopped: string): Promise<DatabaseServer> => {
  await mkdir(directory, { mode: 0o700 })
  const data = join(directory, "postgres")
  await copyDirectory(dataOfStopped, data)
  const cluster = await Effect.runPromise(clusterOf({ directory, fsync: false }, directory))
  await Effect.runPromise(start(cluster))
  const postmaster = readPostmaster(cluster.data)
  if (postmaster === undefined) throw new Error(`no server runs in ${dirname(data)}`)
  const url = Redacted.value(await addressOf(cluster.data, postmaster))
  return {
    url,
    host: postmaster.socketDirectory,
    port: postmaster.port,
    data: cluster.data,
    query: async (statement) => {
      const client = new Client({ connectionString: url })
      await client.connect()
      try {
        const answer: unknown = await client.query(statement)
        const last = Array.isArray(answer) ? answer.at(-1) : answer
        return (last as { rows: ReadonlyArray<Record<string, unknown>> }).rows
      } finally {
        await client.end()
      }
    },
    stop: () => Effect.runPromise(stop(cluster)),
    start: () => Effect.runPromise(start(cluster))
  }
}
