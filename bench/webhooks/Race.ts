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

/** Every runner has the same backlog before it starts, and is timed from the first POST to the last. */
const run = async (url: string, receiver: Receiver, runner: Runner, deliveries: number): Promise<number> => {
  await runner.fill(deliveries)
  const { counted } = await receiver.counting(deliveries)
  const child = start(runner.file, { BENCH_DATABASE: url })
  const { first, last } = await counted
  await end(child)
  return (deliveries - 1) / ((last - first) / 1000)
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
  const rates = new Map<string, Array<number>>()
  for (let round = 0; round < rounds; round++)
    for (const runner of runners) {
      const rate = await run(url, receiver, runner, deliveries)
      rates.set(runner.name, [...(rates.get(runner.name) ?? []), rate])
    }
  const ours = quantile(rates.get(livery.name) ?? [], 0.5)
  tell(`${deliveries} deliveries flat out, median of ${rounds} rounds:`)
  for (const { name } of runners) {
    const own = rates.get(name) ?? []
    const rate = quantile(own, 0.5)
    const each = own.map((one) => one.toFixed(0)).join(", ")
    const ratio = name === livery.name ? "" : `; Livery ${(ours / rate).toFixed(2)} times that`
    tell(`  ${name}: ${rate.toFixed(0)} a second (${each})${ratio}`)
  }
}
