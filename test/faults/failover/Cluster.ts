/**
 * Two servers of PostgreSQL under Patroni, one etcd, HAProxy and PgBouncer on the loopback, from Debian's packages and with the
 * files of `deploy/failover`. One etcd is enough here, because the tests end or freeze servers of PostgreSQL only.
 */
import { existsSync } from "node:fs"
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "pg"
import { chooseRunAs, type RunAs } from "../../../packages/persistence/src/embedded/RunAs.ts"
import { fixedPort } from "../../support/FixedPort.ts"
import { scratchPrefix } from "../../support/ScratchDirectory.ts"
import { makeNode, type Node } from "./Node.ts"
import { type Running, signalAll, sleep, start } from "./Processes.ts"

const programs = {
  patroni: "/usr/bin/patroni",
  "etcd-server": "/usr/bin/etcd",
  haproxy: "/usr/sbin/haproxy",
  pgbouncer: "/usr/sbin/pgbouncer",
  "postgresql-15": "/usr/lib/postgresql/15/bin/postgres"
} as const

/** Debian's packages that this machine lacks for the cluster. */
export const missingPackages: ReadonlyArray<string> = Object.entries(programs)
  .filter(([, file]) => !existsSync(file))
  .map(([name]) => name)

const passwords = { postgres: "superuser", replicator: "replication", livery: "pooled" } as const

/** The running cluster. */
export interface Cluster {
  /** `DATABASE_URL` through PgBouncer and HAProxy. */
  readonly url: string
  /** The address of the primary through HAProxy alone. */
  readonly primaryUrl: string
  readonly nodes: readonly [Node, Node]
  /** The directory of the files and logs. */
  readonly directory: string
  /** Waits until one server is the primary and the other its synchronous standby. */
  readonly settled: () => Promise<{ readonly primary: Node; readonly standby: Node }>
  /** Ends all processes and removes the files. */
  readonly stop: () => Promise<void>
}

/** Repeats a question until its answer is defined. */
const eventually = async <A>(
  what: string,
  seconds: number,
  ask: () => Promise<A | undefined>
): Promise<A> => {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    const answer = await ask().catch(() => undefined)
    if (answer !== undefined) return answer
    await sleep(100)
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

const template = (name: string) =>
  readFile(join(import.meta.dirname, "../../../deploy/failover", name), "utf8")

/** Makes the role and the database of Livery. */
const makeDatabase = async (url: string) => {
  const client = new Client({ connectionString: url })
  // A proxy that ends an idle connection is no fault here.
  client.on("error", () => undefined)
  await client.connect()
  try {
    await client.query(`create role livery login password '${passwords.livery}'`)
    await client.query("alter role livery set statement_timeout = '30s'")
    await client.query("create database livery owner livery")
  } finally {
    await client.end()
  }
}

/** Starts the cluster. */
export const startCluster = async (): Promise<Cluster> => {
  // A namespace would hide the owner of the files from programs that check it.
  const runAs: RunAs = await chooseRunAs("user", undefined)
  const directory = await mkdtemp(`${scratchPrefix}${process.pid}-`)
  const own = (path: string) =>
    runAs.kind === "user" ? chown(path, runAs.uid, runAs.gid) : Promise.resolve()
  const write = async (name: string, text: string) => {
    const path = join(directory, name)
    await writeFile(path, text, { mode: 0o600 })
    await own(path)
    return path
  }
  await own(directory)
  const ports: Array<number> = []
  while (ports.length < 8) {
    const port = await fixedPort()
    if (!ports.includes(port)) ports.push(port)
  }
  const [etcd = 0, peers = 0, proxy = 0, pool = 0, postgresA = 0, restA = 0, postgresB = 0, restB = 0] = ports
  const address = (port: number) => `127.0.0.1:${port}`
  const replace = (text: string) =>
    text
      .replaceAll("etcd-1:2379", address(etcd))
      .replaceAll("db-a:5432 check port 8008", `${address(postgresA)} check port ${restA}`)
      .replaceAll("db-b:5432 check port 8008", `${address(postgresB)} check port ${restB}`)
      .replaceAll("127.0.0.1:5600", address(proxy))
      .replaceAll("port=5600", `port=${proxy}`)
      .replaceAll("listen_port = 6432", `listen_port = ${pool}`)
      .replaceAll("/etc/pgbouncer", directory)

  const running: Array<Running> = []
  const launch = (name: string, file: string, args: ReadonlyArray<string>) => {
    const program = start(runAs, directory, name, file, args)
    running.push(program)
    return program
  }
  const nodeOf = async (name: string, postgres: number, rest: number): Promise<Node> => {
    const data = join(directory, name)
    const text = replace((await template("patroni.yml")).replaceAll("db-a", name))
      .replaceAll(`${name}:5432`, address(postgres))
      .replaceAll(`${name}:8008`, address(rest))
      .replaceAll("/var/lib/postgresql/15/livery", data)
      .replaceAll("/var/lib/postgresql/livery.pgpass", join(directory, `${name}.pgpass`))
      .replaceAll("/var/run/postgresql", directory)
      .replaceAll("change-this-1", passwords.postgres)
      .replaceAll("change-this-2", passwords.replicator)
    const file = await write(`${name}.yml`, text)
    return makeNode({
      name,
      url: `postgresql://postgres:${passwords.postgres}@${address(postgres)}/livery`,
      rest,
      data,
      launch: () => launch(name, programs.patroni, [file])
    })
  }
  const nodes = [await nodeOf("db-a", postgresA, restA), await nodeOf("db-b", postgresB, restB)] as const

  const killAll = () => {
    for (const node of nodes) node.kill()
    signalAll(
      running.filter(({ isRunning }) => isRunning()).map(({ pid }) => pid),
      "SIGKILL"
    )
  }
  process.once("exit", killAll)
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()))
    killAll()
    process.off("exit", killAll)
    await Promise.all(running.map(({ ended }) => ended))
    await rm(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
  }

  const settled = () =>
    eventually("a primary and its synchronous standby", 90, async () => {
      for (const [primary, standby] of [nodes, [nodes[1], nodes[0]] as const])
        if ((await primary.is("primary")) && (await standby.is("synchronous"))) return { primary, standby }
      return undefined
    })

  try {
    const [clientUrl, peerUrl] = [`http://${address(etcd)}`, `http://${address(peers)}`]
    const etcdFlags = {
      "data-dir": join(directory, "etcd"),
      "listen-client-urls": clientUrl,
      "advertise-client-urls": clientUrl,
      "listen-peer-urls": peerUrl,
      "initial-advertise-peer-urls": peerUrl,
      "initial-cluster": `default=${peerUrl}`
    }
    launch(
      "etcd",
      programs["etcd-server"],
      Object.entries(etcdFlags).map(([flag, value]) => `--${flag}=${value}`)
    )
    const [first, second] = nodes
    first.start()
    await eventually("the first server is the primary", 60, async () =>
      (await first.is("primary")) ? true : undefined
    )
    second.start()
    const superuser = `postgresql://postgres:${passwords.postgres}@${address(proxy)}`
    launch("haproxy", programs.haproxy, [
      "-db",
      "-f",
      await write("haproxy.cfg", replace(await template("haproxy.cfg")))
    ])
    await write("userlist.txt", `"livery" "${passwords.livery}"\n`)
    launch("pgbouncer", programs.pgbouncer, [
      await write("pgbouncer.ini", replace(await template("pgbouncer.ini")))
    ])
    await eventually("HAProxy leads to the primary", 30, async () => {
      await makeDatabase(`${superuser}/postgres`)
      return true
    })
    await settled()
    return {
      url: `postgresql://livery:${passwords.livery}@${address(pool)}/livery`,
      primaryUrl: `${superuser}/livery`,
      nodes,
      directory,
      settled,
      stop
    }
  } catch (cause) {
    await stop()
    throw cause
  }
}
