/**
 * The workers on a distributed database. Plain servers stand for its nodes: each has the tables of its businesses under the
 * names of their shards only, and an emulated catalogue of Citus on the coordinator names them.
 */
import { SecretBox } from "@livery/domain"
import { AesSecretBox, SecretKeys } from "@livery/integrations"
import { Effect, Layer, Redacted } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, inject, it, vi } from "vitest"
import { tables } from "../packages/persistence/src/migrations/Tables.ts"
import { citusCatalogue } from "./support/CitusCatalogue.ts"
import { type DatabaseServer, databaseServer } from "./support/DatabaseServer.ts"
import { launch, type Program, runLivery } from "./support/Program.ts"
import { type Receiver, receiver } from "./support/Receiver.ts"
import { scratchPrefix } from "./support/ScratchDirectory.ts"

// The test starts servers and processes.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 180_000 })

const { cluster } = inject("databaseServer")
const secret = "a secret of thirty-two characters"

const seal = (text: string) =>
  Effect.runPromise(
    Effect.flatMap(SecretBox, (box) => box.seal(text)).pipe(
      Effect.provide(AesSecretBox.layer.pipe(Layer.provide(SecretKeys.layer(Redacted.make(secret)))))
    )
  )

/** A business, the node that has its rows, and the shards of its tables, by the plain names of the tables. */
interface Placed {
  readonly id: number
  node: DatabaseServer
  readonly shards: Map<string, string>
}

describe.skipIf(cluster === undefined)("the workers of a distributed database", () => {
  let base: string
  let coordinator: DatabaseServer
  let ears: Receiver
  let workers: Program
  const servers: Array<DatabaseServer> = []
  const [one, two]: ReadonlyArray<{ id: number; node?: DatabaseServer; shards: Map<string, string> }> = [
    { id: 1, shards: new Map() },
    { id: 2, shards: new Map() }
  ]

  const server = async (name: string, dataOfStopped = cluster ?? "") => {
    const started = await databaseServer(join(base, name), dataOfStopped)
    servers.push(started)
    return started
  }

  /** Names the tables of a node as its shards, and those that only the coordinator has as none. */
  const nameShards = async ({ node, shards }: Placed) => {
    const renamed = tables.flatMap(({ history, name }) => [name, ...(history === undefined ? [] : [history])])
    const statements = renamed.map(
      (name) => `ALTER TABLE ${name} RENAME TO ${shards.get(name) ?? `${name}_of_the_coordinator`}`
    )
    await node.query(statements.join(";"))
  }

  const shardsOn = async (group: number) => {
    const rows = await coordinator.query(`
      SELECT s.logicalrelid::regclass::text AS name, s.shardid AS id
      FROM pg_dist_shard s JOIN pg_dist_placement USING (shardid) WHERE groupid = ${group}`)
    return new Map(rows.map(({ id, name }) => [String(name), `${String(name)}_${String(id)}`]))
  }

  const shard = ({ shards }: Placed, table: string) => shards.get(table) ?? table

  const addBusiness = async (placed: Placed) => {
    const of = (table: string) => shard(placed, table)
    await placed.node.query(`
      INSERT INTO ${of("businesses")} (business_id, business_name, business_email, vendor_slug, subscription_plan_id, created_at, updated_at)
      OVERRIDING SYSTEM VALUE VALUES (${placed.id}, 'Ada Cars', 'ada@example.org', 'ada-${placed.id}', 1, now(), now());
      INSERT INTO ${of("webhook_endpoints")} (business_id, url, events, sealed_secret, created_at, updated_at)
      VALUES (${placed.id}, '${ears.url}', '{trip.created}', '${await seal(`whsec_${"a".repeat(43)}`)}', now(), now())`)
  }

  /** Stores events with a delivery each, which is due after a time. Returns their ids. */
  const emit = async (placed: Placed, count: number, due = "0 seconds") => {
    const ids = Array.from({ length: count }, () => `evt_${randomBytes(16).toString("hex")}`)
    const of = (table: string) => shard(placed, table)
    for (const id of ids)
      await placed.node.query(`
        INSERT INTO ${of("events")} (business_id, event_id, event_type, body)
        VALUES (${placed.id}, '${id}', 'trip.created', '{"id":"${id}"}');
        INSERT INTO ${of("webhook_deliveries")} (business_id, endpoint_id, event_id, event_type, next_attempt_at)
        SELECT business_id, endpoint_id, '${id}', 'trip.created', clock_timestamp() + interval '${due}' FROM ${of("webhook_endpoints")}`)
    return ids
  }

  /** What `/metrics` shows as due on the node of a business. */
  const dueOn = async ({ node }: Placed) => {
    const address = await vi.waitUntil(
      () => /^ {2}Metrics {2,}(?<url>http:\S+)$/mu.exec(workers.stdout())?.groups?.["url"],
      { timeout: 60_000, interval: 50 }
    )
    const text = await (await fetch(address)).text()
    return new RegExp(`^livery_webhook_backlog\\{node="${node.host}:${node.port}"\\} (\\S+)$`, "mu").exec(
      text
    )?.[1]
  }

  const isDueOn = (placed: Placed, due: string) =>
    vi.waitUntil(async () => (await dueOn(placed)) === due, { timeout: 30_000, interval: 100 })

  const received = () => ears.notices.map(({ event }) => event.id)

  const arrived = (ids: ReadonlyArray<string>) =>
    vi.waitUntil(() => ids.every((id) => received().includes(id)), { timeout: 30_000, interval: 20 })

  /** The states of deliveries and the positions of events on a node. */
  const stored = async (placed: Placed) => ({
    states: (
      await placed.node.query(
        `SELECT DISTINCT status FROM ${shard(placed, "webhook_deliveries")} ORDER BY status`
      )
    ).map(({ status }) => status),
    positions: (
      await placed.node.query(`SELECT position FROM ${shard(placed, "events")} ORDER BY position`)
    ).map(({ position }) => Number(position))
  })

  const isSettled = (placed: Placed, events: number) =>
    vi.waitUntil(
      async () => {
        const { positions, states } = await stored(placed)
        return states.join() === "delivered" && positions.join() === numbersTo(events).join()
      },
      { timeout: 30_000, interval: 100 }
    )

  const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

  const first = () => one as Placed
  const second = () => two as Placed

  beforeAll(async () => {
    base = await mkdtemp(`${scratchPrefix}${process.pid}-`)
    ears = await receiver()
    const [c, n1, n2] = await Promise.all([server("coordinator"), server("node-1"), server("node-2")])
    coordinator = c
    Object.assign(one ?? {}, { node: n1 })
    Object.assign(two ?? {}, { node: n2 })
    await coordinator.query(citusCatalogue)
    await coordinator.query(`ALTER DATABASE livery SET citus.shard_count = 2;
      UPDATE pg_dist_node SET nodename = '${n1.host}', nodeport = ${n1.port} WHERE groupid = 1;
      UPDATE pg_dist_node SET nodename = '${n2.host}', nodeport = ${n2.port} WHERE groupid = 2`)
    const environment = {
      LIVERY_DATA_DIR: join(base, "data"),
      LIVERY_SECRET: secret,
      DATABASE_URL: coordinator.url,
      WEBHOOKS_ALLOW_INSECURE: "true",
      WORKERS_PORT: "0"
    }
    const distributed = await runLivery(["migrate", "--distribute"], { environment })
    assert.strictEqual(distributed.code, 0, distributed.stderr)
    for (const [placed, group] of [
      [first(), 1],
      [second(), 2]
    ] as const) {
      for (const [table, name] of await shardsOn(group)) placed.shards.set(table, name)
      await nameShards(placed)
      await addBusiness(placed)
    }
    workers = launch(["serve", "--only", "webhooks"], { environment })
  })

  afterAll(async () => {
    if (workers.ending() === undefined) workers.signal("SIGKILL")
    await workers.ended
    await Promise.all(servers.map(({ stop }) => stop()))
    await ears.close()
    await rm(base, { recursive: true, force: true })
  })

  it("deliver the events of businesses on each node once, and give them positions", async () => {
    const ids = [...(await emit(first(), 5)), ...(await emit(second(), 5))]
    await arrived(ids)
    await isSettled(first(), 5)
    await isSettled(second(), 5)
    assert.deepStrictEqual(received().toSorted(), ids.toSorted())
    // The sweeps have looked for what is due on each node, too.
    assert.notMatch(`${workers.stdout()}${workers.stderr()}`, /could not|failed|does not exist/u)
  })

  it("deliver the events of the other nodes while one is stopped, and its own after it is back", async () => {
    const waiting = await emit(second(), 3, "3 seconds")
    await isDueOn(second(), "0")
    await second().node.stop()
    const others = await emit(first(), 3)
    await arrived(others)
    await isDueOn(second(), "NaN")
    await isDueOn(first(), "0")
    assert.deepStrictEqual(
      received().filter((id) => waiting.includes(id)),
      []
    )
    await second().node.start()
    await arrived(waiting)
    await isSettled(second(), 8)
    await isDueOn(second(), "0")
    assert.strictEqual(new Set(received()).size, received().length)
  })

  it("use the new names of shards and their new node without a restart", async () => {
    // A table's new generation has new shards.
    const old = shard(first(), "webhook_deliveries")
    await first().node.query(`ALTER TABLE ${old} RENAME TO webhook_deliveries_999001`)
    await coordinator.query(`
      UPDATE pg_dist_placement SET shardid = 999001 WHERE shardid = ${old.split("_").at(-1)};
      UPDATE pg_dist_shard SET shardid = 999001 WHERE shardid = ${old.split("_").at(-1)}`)
    first().shards.set("webhook_deliveries", "webhook_deliveries_999001")
    const renamed = await emit(first(), 2)

    await second().node.stop()
    const moved = await server("node-3", second().node.data)
    await coordinator.query(`
      INSERT INTO pg_dist_node (nodeid, groupid, nodename, nodeport, shouldhaveshards)
      VALUES (4, 3, '${moved.host}', ${moved.port}, true);
      UPDATE pg_dist_placement SET groupid = 3 WHERE groupid = 2`)
    second().node = moved
    const onNewNode = await emit(second(), 2)

    await arrived([...renamed, ...onNewNode])
    await isSettled(first(), 10)
    await isSettled(second(), 10)
    assert.strictEqual(new Set(received()).size, received().length)
  })
})
