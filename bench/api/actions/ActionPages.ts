/**
 * Counts the statements and the PostgreSQL pages of each request of the script, in a small business and in a large one.
 */
import { Client } from "pg"
import { report } from "../../webhooks/Figures.ts"
import type { Bed } from "../Bed.ts"
import type { Grown } from "../lists/Growth.ts"
import { table } from "../Report.ts"
import { type Acting, prepare } from "./Business.ts"
import { perform, script } from "./Script.ts"
import type { Known, Step } from "./Step.ts"

/** Enough for PostgreSQL to keep a generic plan of each statement. */
const warmUp = 6
const counted = 3

/** The pages from which on the dearest statement is shown. */
const many = 300

/** What a request cost: its statements without those that begin and end transactions, and its pages. */
interface Cost {
  readonly statements: number
  readonly pages: number
  /** The statement with the most pages. */
  readonly dearest: string
}

/** The statements since the last reset; those that give events their positions run after the response. */
const costSince = async (client: Client): Promise<Cost> => {
  const { rows } = await client.query<{
    readonly query: string
    readonly calls: number
    readonly pages: number
  }>(
    `select query, calls::int as calls, (shared_blks_hit + shared_blks_read)::int as pages from pg_stat_statements
     where query not like '%pg_stat_statements%' and query not like '%event_sequencer%'
       and query !~* '^ *(begin|start|commit|rollback|set|select set_config)'
     order by pages desc`
  )
  const [first] = rows
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    statements: sum(({ calls }) => calls),
    pages: sum(({ pages }) => pages),
    dearest: first === undefined ? "" : `${first.pages} pages: ${first.query.replaceAll(/\s+/gu, " ")}`
  }
}

/** The least of the costs: other work of the server can only add to them. */
const least = (one: Cost | undefined, other: Cost): Cost =>
  one === undefined
    ? other
    : {
        statements: Math.min(one.statements, other.statements),
        pages: Math.min(one.pages, other.pages),
        dearest: one.pages < other.pages ? one.dearest : other.dearest
      }

/** Runs the script in rounds. Returns the cost of each step, and the failures by step. */
const measure = async (api: string, client: Client, { callers, known }: Acting) => {
  const costs = new Map<Step, Cost>()
  const failures = new Map<Step, string>()
  for (let round = 0; round < warmUp + counted; round++) {
    let context: Known = known(round)
    for (const step of script) {
      if (failures.has(step) || (step.isLong && round < warmUp + counted - 1)) continue
      if (round >= warmUp) await client.query("select pg_stat_statements_reset()")
      try {
        context = await perform(api, callers, step, context)
      } catch (error) {
        failures.set(step, String(error))
        continue
      }
      if (round >= warmUp) costs.set(step, least(costs.get(step), await costSince(client)))
    }
  }
  return { costs, failures }
}

/** Prints the cost of each step in both businesses, and the dearest statements. */
export const countActions = async (
  { url }: Bed,
  api: string,
  sizes: readonly [Grown, Grown],
  only: string | undefined
) => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const [small, large] = [
      await measure(api, client, await prepare(api, url, sizes[0])),
      await measure(api, client, await prepare(api, url, sizes[1]))
    ]
    const shown = script.filter(({ name }) => name.includes(only ?? ""))
    const rows = shown.flatMap((step) => {
      const [one, other] = [small.costs.get(step), large.costs.get(step)]
      if (one === undefined || other === undefined) return []
      const statements = [one.statements, other.statements].map(String)
      return [
        [
          step.name,
          ...statements,
          String(one.pages),
          String(other.pages),
          one.pages === 0 ? "" : (other.pages / one.pages).toFixed(2)
        ]
      ]
    })
    const [ofSmall, ofLarge] = sizes.map((size) => size.rows.toLocaleString("en"))
    report(`\nStatements, and pages of 8 kB that PostgreSQL read, for a request: the least of ${counted}`)
    const head = [
      "Request",
      `statements, ${ofSmall}`,
      `statements, ${ofLarge}`,
      `pages, ${ofSmall}`,
      `pages, ${ofLarge}`,
      "times"
    ]
    report(`\n${table(head, rows)}`)
    report(`\nThe dearest statements of requests with more than ${many} pages:`)
    for (const step of shown) {
      const cost = large.costs.get(step)
      if (cost !== undefined && cost.pages > many) report(`\n${step.name}\n  ${cost.dearest}`)
    }
    for (const { failures } of [small, large])
      for (const [, failure] of failures) report(`\nNot measured: ${failure}`)
  } finally {
    await client.end()
  }
}
