/** The domain's `SentMail` over the files that `EmlMailer` writes. */
import { readdir, readFile, rm } from "node:fs/promises"
import { join, resolve } from "node:path"
import { mentions, SentMail, traced } from "@livery/domain"
import { Effect, Layer } from "effect"

/** The header lines of a message, with continuation lines joined, in lower case. */
const headersOf = (text: string) =>
  text
    .slice(0, Math.max(0, text.search(/\r?\n\r?\n/u)))
    .replaceAll(/\r?\n[ \t]+/gu, " ")
    .toLowerCase()
    .split(/\r?\n/u)

const isTo = (text: string, addresses: ReadonlyArray<string>) => {
  const to = headersOf(text).find((header) => header.startsWith("to:")) ?? ""
  return mentions(to, { emails: addresses, phones: [] })
}

/** The messages of a directory, which may be absent. */
export const layer = (options: { readonly directory: string }): Layer.Layer<never> =>
  Layer.succeed(SentMail, {
    eraseTo: traced("SentMail.eraseTo")((addresses: ReadonlyArray<string>) =>
      Effect.promise(async () => {
        const directory = resolve(options.directory)
        const names = addresses.length === 0 ? [] : await readdir(directory).catch((): Array<string> => [])
        let count = 0
        for (const name of names.filter((each) => each.endsWith(".eml"))) {
          const file = join(directory, name)
          if (!isTo(await readFile(file, "utf8").catch(() => ""), addresses)) continue
          await rm(file, { force: true })
          count += 1
        }
        return count
      })
    )
  })
