/**
 * The nodes of Citus, for a run of the tests on a distributed database. A database is then a database of one name on each
 * node, and a copy of the template on each node is a distributed database too: the catalogue names hosts, and no database.
 */
import { Effect, Redacted } from "effect"
import { Client } from "pg"
import { distribute } from "../../packages/persistence/src/sql/schema/Distribution.ts"
import { layer } from "../../packages/persistence/src/sql/connections/PgClient.ts"
import { addressWithin, administer } from "./TestDatabase.ts"

/** The addresses of all nodes, the coordinator first; the server alone if it has no Citus. */
export const nodesOf = (server: string) =>
  Effect.promise(async (): Promise<ReadonlyArray<string>> => {
    const client = new Client({ connectionString: server })
    await client.connect()
    try {
      const { rows: found } = await client.query("select from pg_extension where extname = 'citus'")
      if (found.length === 0) return [server]
      const { rows } = await client.query<{ nodename: string; nodeport: number }>(
        "select nodename, nodeport from pg_dist_node where groupid > 0 order by groupid"
      )
      return [server, ...rows.map(({ nodename, nodeport }) => onNode(server, nodename, nodeport))]
    } finally {
      await client.end()
    }
  })

const onNode = (server: string, host: string, port: number) => {
  const url = new URL(server)
  url.hostname = host
  url.port = String(port)
  return url.href
}

/** Distributes a database with the project's tables, which has the same name on each node. One node has one shard of a table. */
export const distributeTemplate = Effect.fnUntraced(function* (nodes: ReadonlyArray<string>, name: string) {
  const [coordinator = "", ...workers] = nodes.map((node) => addressWithin(node, name))
  for (const node of [coordinator, ...workers]) yield* administer(node, "create extension citus")
  const { hostname, port } = new URL(coordinator)
  yield* administer(coordinator, `select citus_set_coordinator_host('${hostname}', ${port || "5432"})`)
  for (const worker of workers) {
    const { hostname, port } = new URL(worker)
    yield* administer(coordinator, `select citus_add_node('${hostname}', ${port || "5432"})`)
  }
  yield* administer(coordinator, `alter database ${name} set citus.shard_count = ${workers.length}`)
  yield* distribute().pipe(Effect.provide(layer({ url: Redacted.make(coordinator) })), Effect.orDie)
})

/** Ends the connections of a database, among them the daemon of Citus, so that it can be copied. */
export const closeTemplate = (nodes: ReadonlyArray<string>, name: string) =>
  Effect.forEach(nodes, (node) =>
    Effect.andThen(
      administer(node, `alter database ${name} allow_connections false`),
      administer(
        node,
        `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${name}'`
      )
    )
  )
