import type { TripRecord } from "@livery/domain"
import { randomBytes } from "node:crypto"
import { Client } from "pg"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { runLivery } from "../../support/Program.ts"
import { type Deployment, deploy, until } from "../support/Deployment.ts"
import { isFull } from "../support/Extent.ts"
import { type Booking, longestPause, startBookings } from "./Bookings.ts"
import { type Cluster, missingPackages, startCluster } from "./Cluster.ts"
import type { Node } from "./Node.ts"
import { sleep } from "./Processes.ts"

const rounds = Number(process.env["LIVERY_FAILOVER_ROUNDS"] ?? 3)
const clients = 4
/** The most seconds without a write, on any machine. The measured times are printed. */
const maxSeconds = 60

const isRunnable = isFull && missingPackages.length === 0
if (isFull && !isRunnable)
  process.stdout.write(`fail-over is not tested: Debian's ${missingPackages.join(", ")} are not installed\n`)

/** The servers at the beginning of a fault. */
interface Servers {
  readonly primary: Node
  readonly standby: Node
}

/** A session with a server, by itself, as superuser. */
const sessionOf = async ({ url }: { readonly url: string }) => {
  const client = new Client({ connectionString: url })
  client.on("error", () => undefined)
  await client.connect()
  return client
}

/** The number that a statement returns on a server. */
const countOn = async (server: { readonly url: string }, statement: string) => {
  const session = await sessionOf(server)
  try {
    const { rows } = await session.query<{ readonly count: number }>(statement)
    return rows[0]?.count
  } finally {
    await session.end()
  }
}

/** How Livery reaches the primary, and whether the faults of the standby and of etcd are tested that way too. */
const ways: ReadonlyArray<{
  readonly way: string
  readonly settingsOf: (cluster: Cluster) => Readonly<Record<string, string>>
  readonly hasAllFaults: boolean
}> = [
  {
    way: "through PgBouncer and HAProxy",
    settingsOf: ({ url }) => ({ DATABASE_URL: url, DATABASE_PREPARE: "false" }),
    hasAllFaults: true
  },
  {
    way: "as several hosts",
    settingsOf: ({ hostsUrl }) => ({ DATABASE_URL: hostsUrl, DATABASE_PREPARE: "true" }),
    hasAllFaults: false
  }
]

describe.runIf(isRunnable).each(ways)("reached $way, PostgreSQL fails under writes", (given) => {
  const { hasAllFaults, settingsOf, way } = given
  let cluster: Cluster
  let deployment: Deployment
  const booked: Array<Booking> = []
  beforeAll(async () => {
    cluster = await startCluster()
    const settings = {
      DATABASE_URL: cluster.url,
      DATABASE_PREPARE: "false",
      LIVERY_SECRET: randomBytes(24).toString("hex")
    }
    const migrated = await runLivery(["migrate"], { environment: settings })
    assert.strictEqual(migrated.code, 0, migrated.stderr)
    deployment = await deploy({ settings, apiSettings: settingsOf(cluster) })
    await deployment.subscribe(["trip.created"])
    const dispatcher = deployment.startDispatcher(settingsOf(cluster))
    await until(() => dispatcher.stdout().includes("workers are ready"))
    const session = await sessionOf({ url: cluster.primaryUrl })
    await session.query("create table late_writes (at timestamptz)")
    await session.end()
  })
  afterAll(async () => {
    await deployment?.close()
    await cluster?.stop()
  })

  /** The ids of every trip of the business, by its customer's name. */
  const tripsByCustomer = async () => {
    const client = deployment.account.through(deployment.api())
    const found = new Map<string, Array<number>>()
    for (let page = 1; ; page++) {
      const { body } = await client.get<ReadonlyArray<TripRecord>>(`/trips?page=${page}&per_page=100`)
      for (const { customer_name: name, trip_id: id } of body.data)
        found.set(name ?? "", [...(found.get(name ?? "") ?? []), id])
      if (body.meta.pagination?.has_more !== true) return found
    }
  }

  /** Books during a fault and its repair. Checks that nothing is lost, made twice or stuck. Returns the seconds without a write. */
  const bookThrough = async (
    name: string,
    fault: (servers: Servers) => void | Promise<void>,
    repair: (servers: Servers) => void | Promise<void>
  ) => {
    const servers = await cluster.settled()
    const label = randomBytes(4).toString("hex")
    const bookings = startBookings({
      api: deployment.api().api,
      apiKey: deployment.account.apiKey,
      clients,
      label
    })
    const { acknowledged, refusals } = bookings
    const moreBooked = () => {
      const before = acknowledged.length
      return until(() => acknowledged.length > before + 20 * clients, 2 * maxSeconds)
    }
    await moreBooked()
    const began = performance.now()
    await fault(servers)
    // Writes may continue for a moment, on the connections that are open.
    await sleep(4000)
    await moreBooked()
    await repair(servers)
    const now = await cluster.settled()
    const refused = () => [...refusals.values()].reduce((total, count) => total + count, 0)
    const refusedBefore = refused()
    await moreBooked()
    assert.strictEqual(refused(), refusedBefore, "requests refused after the repair")
    await bookings.end()

    const seconds = longestPause(acknowledged, began)
    const statuses = [...refusals].map(([status, count]) => `${count} × ${status}`).join(", ")
    process.stdout.write(
      `${way}, ${name.split(":")[0]}: ${seconds.toFixed(1)} s without a write, ${acknowledged.length} acknowledged, refused ${statuses || "none"}\n`
    )
    for (const status of refusals.keys()) assert.include([429, 500, 503], status)
    const trips = await tripsByCustomer()
    for (const { customer, tripId } of acknowledged)
      assert.deepStrictEqual(trips.get(customer), [tripId], customer)
    const own = [...trips.keys()].filter((customer) => customer.startsWith(label))
    assert.strictEqual(own.length, acknowledged.length, "each trip was acknowledged")
    booked.push(...acknowledged)
    const sessions = "select count(*)::int as count from pg_stat_activity where usename = 'livery'"
    await until(async () => (await countOn(now.standby, sessions)) === 0, 20)
    assert.isUndefined(deployment.api().program.ending(), "the API still runs")
    return seconds
  }

  const limit = { timeout: 400_000 }
  const stops: ReadonlyArray<
    readonly [
      title: string,
      fault: (servers: Servers) => void | Promise<void>,
      repair: (servers: Servers) => void
    ]
  > = [
    [
      "the primary's machine stops: each acknowledged trip is kept, once",
      ({ primary }) => primary.kill(),
      ({ primary }) => primary.start()
    ],
    [
      "PostgreSQL crashes on the primary: each acknowledged trip is kept, once",
      ({ primary }) => primary.killPostmaster(),
      () => undefined
    ]
  ]
  const others: typeof stops = [
    [
      "the standby's machine stops: writes continue without it",
      ({ standby }) => standby.kill(),
      ({ standby }) => standby.start()
    ],
    [
      "the standby freezes: writes continue without it",
      ({ standby }) => standby.freeze(),
      ({ standby }) => standby.thaw()
    ],
    [
      "etcd stops for longer than the lock lasts: the primary stays the primary",
      async ({ primary }) => {
        await cluster.killEtcd()
        await sleep(15_000)
        assert.isTrue(await primary.is("primary"))
      },
      () => cluster.startEtcd()
    ]
  ]
  for (let round = 1; round <= rounds; round++) {
    for (const [title, fault, repair] of hasAllFaults ? [...stops, ...others] : stops)
      it(`${title} (${round})`, limit, async () => {
        assert.isBelow(await bookThrough(title, fault, repair), maxSeconds)
      })

    const freezes = "the primary freezes: it accepts no write when it continues"
    it(`${freezes} (${round})`, limit, async () => {
      let session: Client | undefined
      const seconds = await bookThrough(
        freezes,
        async ({ primary }) => {
          session = await sessionOf(primary)
          primary.freeze()
        },
        async ({ primary }) => {
          // The frozen server finds this statement before its Patroni finds that another server is the primary.
          const late = session?.query("insert into late_writes values (now())").then(
            () => "acknowledged",
            () => "refused"
          )
          primary.thaw()
          assert.strictEqual(await late, "refused")
        }
      )
      assert.isBelow(seconds, maxSeconds)
      const { primary, standby } = await cluster.settled()
      for (const node of [primary, standby])
        assert.strictEqual(await countOn(node, "select count(*)::int as count from late_writes"), 0)
    })
  }

  it(
    "each acknowledged trip is delivered as one event, also if the event is sent again",
    { timeout: 300_000 },
    async () => {
      const posts = () => deployment.receiver.notices
      const open = "select count(*)::int as count from webhook_deliveries where status <> 'delivered'"
      // A delivery whose result could not be saved is sent again after its lease.
      await until(async () => (await deployment.row(open))["count"] === 0, 250)
      const byEvent = Map.groupBy(posts(), ({ event }) => event.id)
      const reported = [...byEvent.values()].map(([first]) => Number(first?.event.data["trip_id"]))
      const byNumber = (one: number, other: number) => one - other
      assert.deepStrictEqual(reported.sort(byNumber), booked.map(({ tripId }) => tripId).sort(byNumber))
      for (const [id, notices] of byEvent) {
        assert.strictEqual(new Set(notices.map(({ raw }) => raw)).size, 1, id)
        assert.strictEqual(new Set(notices.map(({ headers }) => headers["x-service-delivery"])).size, 1, id)
      }
      process.stdout.write(`${byEvent.size} events, ${posts().length - byEvent.size} sent again\n`)
    }
  )
})
