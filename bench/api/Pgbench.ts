/**
 * The same SQL without a server in front of it: `pgbench -M prepared` sends the statements that Livery sends for a
 * request, with the same values. What has to be new each time (references and ids of events) is made by pgbench.
 */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { promisify } from "node:util"
import type { Statement } from "./Statements.ts"

const run = promisify(execFile)

/** A script for pgbench, and the values of its variables. */
export interface Script {
  readonly file: string
  readonly variables: Readonly<Record<string, string>>
}

const unique = ":client_id || '-' || :drawn"

/** SQL for a value that no two transactions may share; undefined for any other. */
const madeAnew = (value: string) => {
  if (/^TR-[0-9A-Z]{7}$/u.test(value)) return `('TR-' || ${unique})`
  if (/^evt_[0-9a-f]{32}$/u.test(value)) return `('evt_' || ${unique})`
  return undefined
}

/** The text of a script for a request's statements, and its variables. */
export const scriptOf = (statements: ReadonlyArray<Statement>) => {
  const variables: Record<string, string> = {}
  const texts = statements.map(({ text, values }, statement) =>
    text.replaceAll(/\$(\d+)/gu, (_, digits: string) => {
      const value = values[Number(digits) - 1] ?? null
      if (value === null) return "NULL"
      const name = `v${statement}_${digits}`
      const made = madeAnew(value)
      if (made !== undefined) return made
      variables[name] = value
      return `:${name}`
    })
  )
  const drawn = String.raw`\set drawn random(1, 1000000000000)`
  return { text: `${[drawn, ...texts.map((text) => `${text.trim()};`)].join("\n")}\n`, variables }
}

/** Writes the script of a request's statements. */
export const prepareScript = async (file: string, statements: ReadonlyArray<Statement>): Promise<Script> => {
  const { text, variables } = scriptOf(statements)
  await writeFile(file, text)
  return { file, variables }
}

/** The transactions a second of the script, over a number of sessions for a number of seconds. */
export const transactions = async (
  url: string,
  { file, variables }: Script,
  sessions: number,
  seconds: number
): Promise<number> => {
  const { stdout } = await run("pgbench", [
    "--no-vacuum",
    "--protocol=prepared",
    `--file=${file}`,
    `--client=${sessions}`,
    "--jobs=1",
    `--time=${seconds}`,
    ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
    url
  ]).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new Error("pgbench is missing: apt-get install postgresql") : error
  })
  const failed = Number(/failed transactions: (\d+)/u.exec(stdout)?.[1])
  const rate = Number(/tps = ([\d.]+)/u.exec(stdout)?.[1])
  if (failed > 0 || Number.isNaN(rate)) throw new Error(`pgbench failed: ${stdout}`)
  return rate
}
