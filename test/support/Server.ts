import { vi } from "vitest"
import { type Outcome, outcomeOf, type Program } from "./Program.ts"

/** A `livery serve` that answers. */
export interface Server {
  readonly program: Program
  /** `http://127.0.0.1:<port>`, as it was printed. */
  readonly address: string
  /** The same with the API's base path. */
  readonly api: string
  /** Tells it to stop, and waits until it has. */
  readonly stop: () => Promise<Outcome>
  /** Ends it as a power cut does; the embedded PostgreSQL survives that. */
  readonly kill: () => Promise<void>
}

const printed = /^ {2}API {2,}(?<api>http:\/\/\S+\/api\/v1)$/mu

/** The server that a program is, once it has said where. */
export const serverOf = async (program: Program): Promise<Server> => {
  const said = await vi
    .waitUntil(
      () => {
        if (program.ending() !== undefined) throw new Error("it ended")
        // The blank line is the greeting's last, so that whoever reads it has all of it.
        return program.stdout().endsWith("\n\n") ? printed.exec(program.stdout())?.groups?.["api"] : undefined
      },
      { timeout: 30_000, interval: 5 }
    )
    .catch((cause: unknown) => {
      program.signal("SIGKILL")
      throw new Error(`livery serve did not start:\n${program.stdout()}${program.stderr()}`, { cause })
    })
  return {
    program,
    address: new URL(said).origin,
    api: said,
    stop: () => {
      program.signal("SIGTERM")
      return outcomeOf(program)
    },
    kill: async () => {
      program.signal("SIGKILL")
      await program.ended
    }
  }
}
