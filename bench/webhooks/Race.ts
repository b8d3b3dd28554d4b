/** Deliveries a second with a backlog: Livery beside job queues on the same database that make the same POST. */
import { once } from "node:events"
import { join, resolve } from "node:path"
import { fill, makeBusinesses } from "./Dispatching.ts"
import { quantile, report } from "./Figures.ts"
import { end, type Receiver, start } from "./Processes.ts"
import { secondsOf, secondsOfPostgres } from "./ProcessorTime.ts"

/** The database of a race, and where its files are. */
interface Place {
  readonly directory: string
  readonly url: string
}

interface Runner {
  readonly name: string
  readonly file: string
  /** Adds that many deliveries to its queue. */
  readonly fill: (deliveries: number) => Promise<unknown>
}

interface Measured {
  /** Deliveries a second, from the first POST to the last. */
  readonly whole: number
  /** Deliveries a second without the first third, in which the process compiles its code. */
  readonly warm: number
  /** Microseconds of processor time for each delivery, in the runner's own process, without the first third. */
  readonly ownMicros: number
  /** The same in PostgreSQL. */
  readonly postgresMicros: number
}

/** The options of a race. */
export interface RaceOptions {
  readonly deliveries: number
  readonly rounds: number
  /** Other checkouts of Livery to compare this one with, instead of job queues. */
  readonly against: ReadonlyArray<string>
}

/** Each runner gets the same backlog before it starts, and is timed alike. */
const run = async (
  { directory, url }: Place,
  receiver: Receiver,
  runner: Runner,
  deliveries: number
): Promise<Measured> => {
  await runner.fill(deliveries)
  const cold = Math.floor(deliveries / 3)
  const { counted, warm } = await receiver.counting(deliveries, cold)
  const child = start(runner.file, { BENCH_DATABASE: url })
  await warm
  const [ownBefore, postgresBefore] = [secondsOf(child.pid), secondsOfPostgres(directory)]
  const { arrivals, first, last } = await counted
  const micros = (seconds: number) => (seconds * 1e6) / (deliveries - cold)
  const ownMicros = micros(secondsOf(child.pid) - ownBefore)
  const postgresMicros = micros(secondsOfPostgres(directory) - postgresBefore)
  await end(child)
  const [, warmed] = arrivals[cold] ?? ["", first]
  const rate = (posts: number, since: number) => (posts - 1) / ((last - since) / 1000)
  return { whole: rate(deliveries, first), warm: rate(deliveries - cold, warmed), ownMicros, postgresMicros }
}

const tables = [
  ["whole", "deliveries a second, from a cold start"],
  ["warm", "deliveries a second, without the first third, which warms each of them up"],
  [
    "ownMicros",
    "microseconds of processor time a delivery, in the process that sends, without the first third"
  ],
  ["postgresMicros", "microseconds of processor time a delivery, in PostgreSQL, without the first third"]
] as const

/** Runs them alternately in rounds, and reports the medians. */
export const race = async (
  place: Place,
  receiver: Receiver,
  { against, deliveries, rounds }: RaceOptions
): Promise<void> => {
  const fillByItself = (file: string) => async (count: number) => {
    const child = start(file, {
      BENCH_DATABASE: place.url,
      BENCH_RECEIVER: receiver.url,
      BENCH_FILL: String(count)
    })
    const [code] = (await once(child, "exit")) as [number]
    if (code !== 0) throw new Error(`${file} could not be filled`)
  }
  const livery = (name: string, root: string): Runner => ({
    name,
    file: join(root, "bench/webhooks/peers/Livery.ts"),
    fill: async (count) => {
      await makeBusinesses(place.url, receiver.url)
      await fill(place.url, count)
    }
  })
  const here = join(import.meta.dirname, "../..")
  const jobQueues: ReadonlyArray<Runner> = [
    ["graphile-worker 0.18", "GraphileWorker.ts"],
    ["pg-boss 12", "PgBoss.ts"]
  ].map(([name = "", file = ""]) => {
    const path = join(import.meta.dirname, "peers", file)
    return { name, file: path, fill: fillByItself(path) }
  })
  const ours = livery("Livery", here)
  const others = against.length === 0 ? jobQueues : against.map((root) => livery(root, resolve(root)))
  const runners = [ours, ...others]
  const measured = new Map<string, Array<Measured>>()
  for (let round = 0; round < rounds; round++)
    for (const runner of round % 2 === 0 ? runners : runners.toReversed()) {
      const result = await run(place, receiver, runner, deliveries)
      measured.set(runner.name, [...(measured.get(runner.name) ?? []), result])
    }
  report(`${deliveries} deliveries as fast as they go, medians of ${rounds} rounds:`)
  for (const [column, title] of tables) {
    const medianOf = (name: string) =>
      quantile(
        (measured.get(name) ?? []).map((one) => one[column]),
        0.5
      )
    report(`  ${title}:`)
    for (const { name } of runners) {
      const each = (measured.get(name) ?? []).map((one) => one[column].toFixed(0)).join(", ")
      const ratio =
        name === ours.name ? "" : `; Livery ${(medianOf(ours.name) / medianOf(name)).toFixed(3)} times that`
      report(`    ${name}: ${medianOf(name).toFixed(1)} (${each})${ratio}`)
    }
  }
}
