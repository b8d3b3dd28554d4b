import { vi } from "vitest"
import { type Outcome, outcomeOf, type Program } from "./Program.ts"

/** A running `livery serve`. */
export interface Server {
  readonly program: Program
  /** The printed address, `http://127.0.0.1:<port>`. */
  readonly address: string
  /** The address with the API's base path. */
  readonly api: string
  /** Stops it by SIGTERM and waits for its end. */
  readonly stop: () => Promise<Outcome>
  /** Ends it by SIGKILL; its embedded PostgreSQL keeps running. */
  readonly kill: () => Promise<void>
}

const printed = /^ {2}API {2,}(?<api>http:\/\/\S+\/api\/v1)$/mu

/** The server of a program, once it has printed its address. */
export const serverOf = async (program: Program): Promise<Server> => {
  const api = await vi
    .waitUntil(
      () => {
        if (program.ending() !== undefined) throw new Error("it ended")
        // The greeting ends with a blank line: then it is complete.
        return program.stdout().endsWith("\n\n") ? printed.exec(program.stdout())?.groups?.["api"] : undefined
      },
      { timeout: 60_000, interval: 5 }
    )
    .catch((cause: unknown) => {
      program.signal("SIGKILL")
      throw new Error(`livery serve did not start:\n${program.stdout()}${program.stderr()}`, { cause })
    })
  return {
    program,
    address: new URL(api).origin,
    api,
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
