/** A command line that reports how it ended: a line on standard error for a failure, and an exit code. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, type Exit, Option, Predicate } from "effect"
import { CliOutput } from "effect/cli"
import { run } from "./CommandLine.ts"
import { presenter } from "./usage/InvalidUsage.ts"

/**
 * 0: success, or a server that was stopped. 1: refused or failed. 2: wrong usage, such as a group of commands without a
 * command, or a wrong setting. 130: interrupted.
 */
export const exitCode = (exit: Exit.Exit<unknown, unknown>, isServer: boolean): number => {
  if (exit._tag === "Success") return 0
  if (Cause.hasInterruptsOnly(exit.cause)) return isServer ? 0 : 130
  const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  return [
    "ShowHelp",
    "InvalidUsage",
    "SettingRefused",
    "MailSettingRefused",
    "SecretTooShort",
    "SecretMismatch"
  ].some((tag) => Predicate.isTagged(error, tag))
    ? 2
    : 1
}

const printFailure = (cause: Cause.Cause<unknown>) =>
  Effect.sync(() => {
    if (Cause.hasInterruptsOnly(cause)) return
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    // It was reported by the presenter.
    if (Predicate.isTagged(error, "ShowHelp")) return
    process.stderr.write(`${error instanceof Error ? error.message : Cause.pretty(cause)}\n`)
  })

/** Runs a command line as {@link run} does, on the services of Node, and prints its failure. */
export const reported = (args: ReadonlyArray<string>) =>
  run(args).pipe(
    Effect.tapCause(printFailure),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provide(NodeServices.layer)
  )
