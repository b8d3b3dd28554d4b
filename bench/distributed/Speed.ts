/** The mix of a day and each of its kinds, by turns on a plain and on a distributed database. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Company } from "../api/day/DayPopulation.ts"
import { fresh, kinds, makeMix } from "../api/day/DayMix.ts"
import { exchange } from "../api/Exchange.ts"
import { load, prepareLoad, type Turn } from "../api/Load.ts"
import { quantile, report } from "../webhooks/Figures.ts"

/** A server, and the businesses of its database. */
export interface Side {
  readonly port: number
  readonly companies: ReadonlyArray<Company>
}

const requestsInMix = 4_000

let number = 10_000_000

const median = (values: ReadonlyArray<number>) => quantile(values, 0.5)

const format = (value: number) => value.toFixed(2).padStart(8)

/** Sends some requests of a kind, and fails with the first refusal. */
const check = async ({ companies, port }: Side, name: string | undefined) => {
  for (const request of makeMix(companies, 40, name)) {
    const response = await exchange(port, {
      ...request,
      ...(request.body === undefined ? {} : { body: request.body.replace(fresh, String(number++)) })
    })
    if (response.status >= 300)
      throw new Error(`${request.method} ${request.path}: ${response.status} ${response.body}`)
  }
}

/** Measures by turns, the plain database first in every second round, and prints the ratios of the medians. */
export const compareSpeed = async (
  plain: Side,
  distributed: Side,
  {
    connections,
    rounds,
    seconds
  }: { readonly connections: number; readonly rounds: number; readonly seconds: number }
) => {
  const directory = await mkdtemp(join(tmpdir(), "livery-bench-"))
  try {
    report(`${connections} connections, ${rounds} rounds of ${seconds} s: plain, distributed, ratio`)
    report(
      "kind                          p50, ms                     p99, ms                     requests a second"
    )
    for (const name of [undefined, ...kinds.map((kind) => kind.name)]) {
      const files = await Promise.all(
        [plain, distributed].map(async ({ companies }, index) => {
          const file = join(directory, `${index}.lua`)
          await prepareLoad(file, makeMix(companies, requestsInMix, name), fresh)
          return file
        })
      )
      const turn = (side: Side, file: string | undefined) => load(side.port, file ?? "", connections, seconds)
      await check(plain, name)
      await check(distributed, name)
      await turn(plain, files[0])
      await turn(distributed, files[1])
      const turns: { plain: Array<Turn>; distributed: Array<Turn> } = { plain: [], distributed: [] }
      for (let round = 0; round < rounds; round++) {
        const both = [
          async () => turns.plain.push(await turn(plain, files[0])),
          async () => turns.distributed.push(await turn(distributed, files[1]))
        ]
        for (const one of round % 2 === 0 ? both : both.toReversed()) await one()
      }
      const compared = (of: (turn: Turn) => number) => {
        const [one, other] = [median(turns.plain.map(of)), median(turns.distributed.map(of))]
        return `${format(one)} ${format(other)} ${format(other / one)}`
      }
      report(
        `${(name ?? "the mix of a day").padEnd(26)} ${compared(({ p50 }) => p50)} ${compared(({ p99 }) => p99)} ${compared(
          (each) => each.requests / each.seconds
        )}`
      )
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
