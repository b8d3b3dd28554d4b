/**
 * The program of `CommandProcess.ts`: runs commands one after the other, each as the executable runs it, with the built
 * code. Each line of standard input is a command, and each line of standard output is how that command ended.
 */
import { createInterface } from "node:readline"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import type * as RunToEnd from "../../packages/cli/src/RunToEnd.ts"
import type { Command } from "./CommandProcess.ts"
import type { Outcome } from "./Program.ts"

const built = new URL("../../packages/cli/dist/bundle/RunToEnd.js", import.meta.url)
const { runToEnd } = (await import(built.href)) as typeof RunToEnd

const { stdin } = process
const answer = process.stdout.write.bind(process.stdout)

const output = { stdout: "", stderr: "" }
for (const stream of ["stdout", "stderr"] as const)
  process[stream].write = (
    text: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error) => void),
    done?: (error?: Error) => void
  ) => {
    output[stream] += typeof text === "string" ? text : Buffer.from(text).toString()
    const written = typeof encoding === "function" ? encoding : done
    if (written !== undefined) process.nextTick(written)
    return true
  }

const outcomeOf = async ({ args, environment, input }: Command): Promise<Outcome> => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  Object.defineProperty(process, "stdin", { configurable: true, value: Readable.from([Buffer.from(input)]) })
  Object.assign(output, { stdout: "", stderr: "" })
  const code = await runToEnd(args)
  // Lines of the log are written in the next iteration of the event loop.
  await setImmediate()
  return { code, signal: null, ...output }
}

for await (const line of createInterface({ input: stdin }))
  answer(`${JSON.stringify(await outcomeOf(JSON.parse(line) as Command))}\n`)
process.exit()
