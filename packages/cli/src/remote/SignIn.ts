/**
 * The tokens of `livery login`: an access token and a refresh token for each server's address, in a file that only the user
 * can read. Commands renew the access token. A lock file keeps two commands from using the same refresh token.
 */
import { Effect, Option, Predicate, Schema } from "effect"
import { type LockUnavailable, withLockFile } from "@livery/persistence"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { CommandRefused } from "../usage/Refusal.ts"

/** The tokens for one server. `expires_at` is when the access token ends, in Unix milliseconds. */
const Tokens = Schema.Struct({
  access_token: Schema.String,
  refresh_token: Schema.String,
  expires_at: Schema.Int
})
export type Tokens = typeof Tokens.Type

const File = Schema.fromJsonString(Schema.Record(Schema.String, Tokens))

/** The user's configuration directory. */
const configurationDirectory = () => {
  const given = process.env["XDG_CONFIG_HOME"] ?? ""
  return join(given === "" ? join(homedir(), ".config") : given, "livery")
}

/** The file of the tokens. */
export const tokenFile = () => join(configurationDirectory(), "tokens.json")

const failed = (cause: unknown) =>
  new CommandRefused({
    type: "internal_error",
    reason: `${tokenFile()} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`
  })

const attempt = <A>(work: () => Promise<A>) => Effect.tryPromise({ try: work, catch: failed })

const isMissing = (error: unknown) => error instanceof Error && "code" in error && error.code === "ENOENT"

const readText = async () => {
  try {
    return await readFile(tokenFile(), "utf8")
  } catch (error) {
    if (isMissing(error)) return "{}"
    throw error
  }
}

const readAll = Effect.gen(function* () {
  const text = yield* attempt(readText)
  return yield* Effect.mapError(Schema.decodeEffect(File)(text), () => failed("it is not valid; delete it"))
})

const writeAll = (tokens: Readonly<Record<string, Tokens>>) =>
  attempt(async () => {
    const draft = `${tokenFile()}.${process.pid}`
    await writeFile(draft, JSON.stringify(tokens), { mode: 0o600 })
    await rename(draft, tokenFile())
  })

/**
 * Runs the work while no other command reads or writes the tokens. The work is not interruptible: the server would have ended
 * a refresh token whose successor was not stored.
 */
const withTokensLocked = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  attempt(() => mkdir(configurationDirectory(), { recursive: true, mode: 0o700 })).pipe(
    Effect.andThen(withLockFile(`${tokenFile()}.lock`, work)),
    Effect.catchIf(
      (error): error is LockUnavailable => Predicate.isTagged(error, "LockUnavailable"),
      (error) => Effect.fail(failed(error))
    )
  )

/** Stores the tokens for a server. */
export const storeTokens = (address: string, tokens: Tokens) =>
  withTokensLocked(Effect.flatMap(readAll, (all) => writeAll({ ...all, [address]: tokens })))

/** Deletes the tokens for a server, and returns them if there were any. */
export const deleteTokens = (address: string) =>
  withTokensLocked(
    Effect.gen(function* () {
      const { [address]: tokens, ...others } = yield* readAll
      if (tokens !== undefined) yield* writeAll(others)
      return Option.fromUndefinedOr(tokens)
    })
  )

/** An access token that is valid for less than this, in milliseconds, is renewed before it is used. */
const renewalMargin = 30_000

/** A valid access token for a server; `renew` gets new tokens for a refresh token. */
export const accessToken = <E, R>(
  address: string,
  renew: (refreshToken: string) => Effect.Effect<Tokens, E, R>
): Effect.Effect<string, E | CommandRefused, R> =>
  withTokensLocked(
    Effect.gen(function* () {
      const all = yield* readAll
      const tokens = all[address]
      if (tokens === undefined)
        return yield* new CommandRefused({
          type: "unauthenticated",
          reason: `Sign in first: livery login --url ${address} --email YOUR_EMAIL`
        })
      if (tokens.expires_at - renewalMargin > Date.now()) return tokens.access_token
      const renewed = yield* renew(tokens.refresh_token)
      yield* writeAll({ ...all, [address]: renewed })
      return renewed.access_token
    })
  )
