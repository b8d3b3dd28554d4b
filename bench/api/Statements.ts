/** The statements that Livery sends for a request, with their values, as PostgreSQL logs them. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { ask } from "../webhooks/Cluster.ts"
import type { Bed } from "./Bed.ts"
import { exchange } from "./Exchange.ts"
import type { Request } from "./Load.ts"

/** A statement as it was sent: its text with `$1`, `$2`, … and the values of these; null for NULL. */
export interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<string | null>
}

/** Values as they stand in the log: `$1 = 'it''s', $2 = NULL`. */
const valuesOf = (detail: string) =>
  [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/gu)].map(([, value]) =>
    value === undefined ? null : value.replaceAll("''", "'")
  )

/** The statements in a part of the log, in order, with their logged values. */
export const statementsIn = (log: string): ReadonlyArray<Statement> => {
  const found: Array<{ text: string; values: ReadonlyArray<string | null> }> = []
  // An entry begins with its time; its further lines begin with a tab.
  for (const entry of log.split(/\n(?=\d{4}-\d\d-\d\d )/u)) {
    const whole = entry.replaceAll("\n\t", "\n").trim()
    const text = /LOG: {2}(?:statement|execute [^:]+): ([\s\S]+)$/u.exec(whole)?.[1]
    const values = /DETAIL: {2}Parameters: ([\s\S]+)$/iu.exec(whole)?.[1]
    const last = found.at(-1)
    if (text !== undefined) found.push({ text: text.trim(), values: [] })
    else if (values !== undefined && last !== undefined) last.values = valuesOf(values)
  }
  return found
}

const settle = async (url: string, setting: string) => {
  await ask(url, `alter system set log_statement = '${setting}'`, "select pg_reload_conf()")
  await pause(300)
}

/** The statements of a request: those of the second one, after the first has filled the caches. */
export const statementsOf = async (
  bed: Bed,
  port: number,
  request: Request
): Promise<ReadonlyArray<Statement>> => {
  const file = join(bed.directory, "postgres.log")
  await exchange(port, request)
  await settle(bed.url, "all")
  // Within the 900 ms for which the key is remembered.
  await exchange(port, request)
  const before = (await readFile(file)).length
  await exchange(port, request)
  const log = (await readFile(file)).subarray(before).toString()
  await settle(bed.url, "none")
  return statementsIn(log)
}
