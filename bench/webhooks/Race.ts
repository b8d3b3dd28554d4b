/** Deliveries a second, flat out: Livery beside job queues on the same database that do the same POST. */
import { once } from "node:events"
import { fill, makeBusinesses } from "./Dispatching.ts"
import { quantile, tell } from "./Figures.ts"
import { end, type Receiver, start } from "./Processes.ts"

interface Runner {
  readonly name: string
  readonly file: string
  /** Puts that many on its queue. */
  readonly fill: (deliveries: number) => Promise<unknown>
}

/** Deliveries a second. */
interface Rates {
  /** From the first POST to the last. */
  readonly whole: number
  /** Without the first third: a process that has just started runs every line for the first time. */
  readonly warm: number
}

/** Every runner has the same backlog before it starts, and is timed alike. */
const run = async (url: string, receiver: Receiver, runner: Runner, deliveries: number): Promise<Rates> => {
  await runner.fill(deliveries)
  const { counted } = await receiver.counting(deliveries)
  const child = start(runner.file, { BENCH_DATABASE: url })
  const { arrivals, first, last } = await counted
  await end(child)
  const cold = Math.floor(deliveries / 3)
  const [, warmed] = arrivals[cold] ?? ["", first]
  const rate = (posts: number, since: number) => (posts - 1) / ((last - since) / 1000)
  return { whole: rate(deliveries, first), warm: rate(deliveries - cold, warmed) }
}

export const race = async (url: string, receiver: Receiver, deliveries: number, rounds: number) => {
  const fillByItself = (file: string) => async (count: number) => {
    const child = start(file, {
      BENCH_DATABASE: url,
      BENCH_RECEIVER: receiver.url,
      BENCH_FILL: String(count)
    })
    const [code] = (await once(child, "exit")) as [number]
    if (code !== 0) throw new Error(`${file} could not be filled`)
  }
  const livery: Runner = {
    name: "Livery",
    file: "peers/Livery.ts",
    fill: async (count) => {
      await makeBusinesses(url, receiver.url)
      await fill(url, count)
    }
  }
  const others: ReadonlyArray<Runner> = [
    ["graphile-worker 0.18", "peers/GraphileWorker.ts"],
    ["pg-boss 12", "peers/PgBoss.ts"]
  ].map(([name = "", file = ""]) => ({ name, file, fill: fillByItself(file) }))
  const runners = [livery, ...others]
  const rates = new Map<string, Array<Rates>>()
  for (let round = 0; round < rounds; round++)
    for (const runner of runners) {
      const rate = await run(url, receiver, runner, deliveries)
      rates.set(runner.name, [...(rates.get(runner.name) ?? []), rate])
    }
  for (const [part, title] of [
    ["whole", "from a cold start"],
    ["warm", "without the first third, which warms each of them up"]
  ] as const) {
    const ofRunner = (name: string) => (rates.get(name) ?? []).map((rate) => rate[part])
    const ours = quantile(ofRunner(livery.name), 0.5)
    tell(`${deliveries} deliveries flat out, ${title}, median of ${rounds} rounds:`)
    for (const { name } of runners) {
      const rate = quantile(ofRunner(name), 0.5)
      const each = ofRunner(name)
        .map((one) => one.toFixed(0))
        .join(", ")
      const ratio = name === livery.name ? "" : `; Livery ${(ours / rate).toFixed(2)} times that`
      tell(`  ${name}: ${rate.toFixed(0)} a second (${each})${ratio}`)
    }
  }
}
