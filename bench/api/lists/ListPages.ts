/**
 * Counts the pages that PostgreSQL reads for each list, in a small business and in a large one. Unlike durations, the
 * counts do not depend on other work on the machine.
 */
import { ask as query } from "../../webhooks/Cluster.ts"
import { report } from "../../webhooks/Figures.ts"
import { table } from "../Report.ts"
import type { ListOptions, Sizes } from "./ListRace.ts"
import { agent, ask, type Compared, itemsIn, type Prepared } from "./Requests.ts"

/** Enough for PostgreSQL to keep a generic plan of each statement. */
const warmUp = 8
const counted = 4

const pagesSince = async (url: string) => {
  const [row] = await query(
    url,
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::int as pages from pg_stat_statements
     where query not like '%pg_stat_statements%'`
  )
  return Number(row?.["pages"])
}

const reset = (url: string) => query(url, "select pg_stat_statements_reset()")

const count = async (url: string, { address, headers }: Prepared, body: object | undefined) => {
  const request = () => ask(address, headers, body)
  await reset(url)
  const items = itemsIn((await request()).body)
  const first = await pagesSince(url)
  for (let sent = 0; sent < warmUp; sent++) await request()
  await reset(url)
  for (let sent = 0; sent < counted; sent++) await request()
  return { items, first, further: (await pagesSince(url)) / counted }
}

/**
 * Prints the pages of a first request, which counts the total of a list, and those of further ones, which do not if the
 * list has more than 10,000 records. `url` is that of a database of the cluster with `pg_stat_statements`.
 */
export const countPages = async (
  url: string,
  all: ReadonlyArray<Compared>,
  sizes: Sizes,
  only: ListOptions["only"]
) => {
  const rows: Array<ReadonlyArray<string>> = []
  const failed: Array<string> = []
  for (const { body, name, prepare } of all.filter((list) => list.name.includes(only ?? ""))) {
    const [ofSmall, ofLarge] = await prepare()
    const small = await count(url, ofSmall, body)
    const large = await count(url, ofLarge, body).catch((error: unknown) => {
      failed.push(`${name}: ${String(error)}`)
      return { items: 0, first: Infinity, further: Infinity }
    })
    const ratio = (large.further / small.further).toFixed(2)
    const items = small.items === large.items ? String(small.items) : `${small.items} / ${large.items}`
    rows.push([
      name,
      ...[small.first, large.first, small.further, large.further].map((pages) => pages.toFixed(0)),
      ratio,
      items
    ])
    process.stderr.write(`${name}: ${ratio}\n`)
  }
  agent.destroy()
  const [small, large] = sizes.map((size) => size.rows.toLocaleString("en"))
  report("\nPages that PostgreSQL read for a request, of 8 kB each")
  const head = [
    "List",
    `first, ${small}`,
    `first, ${large}`,
    `further, ${small}`,
    `further, ${large}`,
    "times",
    "items"
  ]
  report(`\n${table(head, rows)}`)
  if (failed.length > 0) report(`\nNot answered: ${failed.join(", ")}`)
}
