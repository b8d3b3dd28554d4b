/** Alternating turns of load on two equivalent servers. */
import { setTimeout as pause } from "node:timers/promises"
import { quantile } from "../webhooks/Figures.ts"
import { load, type Turn } from "./Load.ts"
import type { Server } from "./Servers.ts"
import { stopwatch } from "./Usage.ts"

/** One or more nodes of one kind of server. */
export interface Side {
  readonly nodes: ReadonlyArray<Server>
}

/** The length and the number of the turns of load. */
export interface LoadSchedule {
  /** Turns of each side; every other round begins with the other side. */
  readonly rounds: number
  /** Seconds of a turn, a whole number. */
  readonly seconds: number
}

/** The result of one turn of a side, over all of its nodes, in the units of {@link Measured}. */
interface Sample {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly server: number
  readonly database: number
}

/** All turns of a side together. */
export interface Measured {
  /** Requests a second, the median. */
  readonly rate: number
  /** Milliseconds, the medians. */
  readonly p50: number
  readonly p99: number
  /**
   * Microseconds of processor time per request, of the Node processes and of PostgreSQL: the least of all turns,
   * because other work on the machine only adds to them.
   */
  readonly server: number
  readonly database: number
}

/** Both sides on one route. */
export interface Compared {
  readonly route: string
  readonly connections: number
  readonly livery: Measured
  readonly peer: Measured
  /** Livery's requests a second as a multiple of the peer's, for each pair of turns. */
  readonly ratios: ReadonlyArray<number>
  /** The same of p99. */
  readonly p99Ratios: ReadonlyArray<number>
}

const sum = (turns: ReadonlyArray<Turn>, of: (turn: Turn) => number) =>
  turns.reduce((total, turn) => total + of(turn), 0)

/** One turn, its connections spread over the side's nodes. */
const turnOf = async (
  { nodes }: Side,
  postmaster: number,
  file: string,
  connections: number,
  seconds: number
): Promise<Sample> => {
  const each = Math.max(1, Math.round(connections / nodes.length))
  const server = stopwatch(nodes.map(({ pid }) => pid))
  const database = stopwatch([postmaster])
  const turns = await Promise.all(
    nodes.map(({ name, port }) =>
      load(port, file, each, seconds).catch((cause: unknown) => {
        throw new Error(`${name}, ${each} connections: ${String(cause)}`, { cause })
      })
    )
  )
  const [serverMicros, databaseMicros] = [server(), database()]
  const requests = sum(turns, (turn) => turn.requests)
  return {
    rate: sum(turns, (turn) => turn.requests / turn.seconds),
    p50: sum(turns, ({ p50 }) => p50) / turns.length,
    p99: Math.max(...turns.map(({ p99 }) => p99)),
    server: serverMicros / requests,
    database: databaseMicros / requests
  }
}

const summary = (samples: ReadonlyArray<Sample>): Measured => {
  const median = (of: (sample: Sample) => number) => quantile(samples.map(of), 0.5)
  return {
    rate: median(({ rate }) => rate),
    p50: median(({ p50 }) => p50),
    p99: median(({ p99 }) => p99),
    server: Math.min(...samples.map(({ server }) => server)),
    database: Math.min(...samples.map(({ database }) => database))
  }
}

/** Both sides, their database, and the requests of one route in a file of `prepareLoad`. */
export interface Match {
  readonly livery: Side
  readonly peer: Side
  readonly postmaster: number
  readonly route: string
  readonly file: string
}

/**
 * Runs turns of both sides until V8 has optimized most of the code: four times as long as a turn with 16 connections, and twice as
 * long with one, which takes paths of its own. V8 optimizes on a thread that competes with the client and the database for a processor.
 */
export const warmUp = async ({ file, livery, peer, postmaster }: Match, seconds: number) => {
  for (const side of [livery, peer]) {
    await turnOf(side, postmaster, file, 16, 4 * seconds)
    await turnOf(side, postmaster, file, 1, 2 * seconds)
  }
}

/** Measures both sides in alternating turns. */
export const compare = async (
  { file, livery, peer, postmaster, route }: Match,
  connections: number,
  { rounds, seconds }: LoadSchedule
): Promise<Compared> => {
  const samples = { livery: [] as Array<Sample>, peer: [] as Array<Sample> }
  const sides = { livery, peer }
  for (let round = 0; round < rounds; round++)
    for (const which of round % 2 === 0 ? (["livery", "peer"] as const) : (["peer", "livery"] as const)) {
      samples[which].push(await turnOf(sides[which], postmaster, file, connections, seconds))
      await pause(100)
    }
  const ratiosOf = (of: (sample: Sample) => number) =>
    samples.livery.map((ours, round) => {
      const theirs = samples.peer[round]
      return theirs === undefined ? Number.NaN : of(ours) / of(theirs)
    })
  return {
    route,
    connections,
    livery: summary(samples.livery),
    peer: summary(samples.peer),
    ratios: ratiosOf(({ rate }) => rate),
    p99Ratios: ratiosOf(({ p99 }) => p99)
  }
}
