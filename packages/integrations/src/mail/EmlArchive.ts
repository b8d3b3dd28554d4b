/** The domain's `SentMail` over the files that `EmlMailer` writes. */
import { readdir, readFile, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { type BusinessId, SentMail, traced } from "@livery/domain"
import { Effect, Layer } from "effect"
import addressparser from "nodemailer/lib/addressparser"
import { businessHeader } from "./EmlMailer.ts"

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

/** Whether a business sent a message; true for any message if the business is null. */
const isOf = (headers: ReadonlyArray<string>, businessId: BusinessId | null) =>
  businessId === null ||
  headers.some((header) => header.toLowerCase() === `${businessHeader}: ${businessId}`.toLowerCase())

/** The messages of a directory, which may be absent. */
export const layer = (options: { readonly directory: string }): Layer.Layer<never> =>
  Layer.succeed(SentMail, {
    eraseTo: traced("SentMail.eraseTo")((businessId: BusinessId | null, addresses: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const directory = resolve(options.directory)
        const names = addresses.length === 0 ? [] : await readdir(directory).catch((): Array<string> => [])
        let count = 0
        for (const name of names.filter(isMessage)) {
          const file = join(directory, name)
          const headers = headersOf(await readFile(file, "utf8").catch(() => ""))
          const isToThem = recipientsOf(headers).some((recipient) => addresses.includes(recipient))
          if (!isToThem || !isOf(headers, businessId)) continue
          await rm(file, { force: true })
          count += 1
        }
        return count
      })
    )
  })
