import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import PostalMime from "postal-mime"
import { vi } from "vitest"

/** Waits for a letter to this address in a data directory, and gives the text of the newest. */
export const letterTo = (directory: string, address: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const mail = join(directory, "mail")
      const names = (await readdir(mail)).filter((name) => name.endsWith(".eml"))
      for (const name of names.sort().toReversed()) {
        const letter = await PostalMime.parse(await readFile(join(mail, name)))
        if (letter.to?.some((to) => to.address === address) === true) return letter.text ?? ""
      }
      throw new Error(`No letter to ${address}`)
    },
    { timeout: 10_000, interval: 10 }
  )

/** The code that the newest letter to this address brings: the one line that is set off. */
export const codeFor = async (directory: string, address: string): Promise<string> => {
  const text = await letterTo(directory, address)
  const code = /^ {4}(?<code>\S+)\r?$/mu.exec(text)?.groups?.["code"]
  if (code === undefined) throw new Error(`No code in the letter:\n${text}`)
  return code
}
