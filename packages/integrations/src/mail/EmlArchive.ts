/** The domain's `SentMail` over the files that `EmlMailer` writes. */
import { readdir, readFile, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import {
  type BusinessId,
  type ErasedMail,
  type Reference,
  referencesIn,
  SentMail,
  traced
} from "@livery/domain"
import { Effect, Layer } from "effect"
import addressparser from "nodemailer/lib/addressparser"
import { businessHeader, namesHeader } from "./EmlMailer.ts"

/** A message, or one that a killed process left incomplete. */
const isMessage = (name: string) => /\.eml(?:\.(?:[^.]+\.)?partial)?$/u.test(name)

/** The header lines of a message, with continuation lines joined. All lines of an incomplete message may be headers. */
const headersOf = (text: string) =>
  (text.split(/\r?\n\r?\n/u, 1)[0] ?? "").replaceAll(/\r?\n[ \t]+/gu, " ").split(/\r?\n/u)

/** The addresses in the header `To`, in lower case. */
const recipientsOf = (headers: ReadonlyArray<string>) =>
  headers
    .filter((header) => /^to:/iu.test(header))
    .flatMap((header) => addressparser(header.slice("to:".length), { flatten: true }))
    .map(({ address }) => address.toLowerCase())

/** The value of a header; undefined if it is absent. */
const valueOf = (headers: ReadonlyArray<string>, name: string) =>
  headers
    .find((header) => header.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim()

/** The records that a message may name. */
const namesOf = (headers: ReadonlyArray<string>): ReadonlyArray<Reference> =>
  (valueOf(headers, namesHeader) ?? "").split(/[\s,]+/u).flatMap((text) => {
    const [name = "", id] = text.split(":")
    return referencesIn({ [`${name}_id`]: Number(id) })
  })

const keyOf = ({ id, kind }: Reference) => `${kind}:${id}`

/** The messages of a directory, which may be absent. */
export const layer = (options: { readonly directory: string }): Layer.Layer<never> =>
  Layer.succeed(SentMail, {
    erase: traced("SentMail.erase")(function* (
      businessId: BusinessId | null,
      { addresses, erasedAmong }: ErasedMail
    ) {
      const directory = resolve(options.directory)
      const names = yield* Effect.promise(() => readdir(directory).catch((): Array<string> => []))
      const found = yield* Effect.forEach(
        names.filter(isMessage),
        Effect.fnUntraced(function* (name) {
          const file = join(directory, name)
          const headers = headersOf(yield* Effect.promise(() => readFile(file, "utf8").catch(() => "")))
          const isOf = businessId === null || valueOf(headers, businessHeader) === String(businessId)
          const isToThem = recipientsOf(headers).some((recipient) => addresses.includes(recipient))
          return isOf ? [{ file, isToThem, named: namesOf(headers) }] : []
        })
      )
      const messages = found.flat()
      const named = new Map(messages.flatMap((message) => message.named).map((one) => [keyOf(one), one]))
      const erased = new Set((yield* erasedAmong([...named.values()])).map(keyOf))
      const removed = messages.filter(
        (message) => message.isToThem || message.named.some((one) => erased.has(keyOf(one)))
      )
      yield* Effect.forEach(removed, ({ file }) => Effect.promise(() => rm(file, { force: true })), {
        discard: true
      })
      return removed.length
    })
  })
