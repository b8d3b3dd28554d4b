import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import PostalMime from "postal-mime"
import { vi } from "vitest"

/** Waits for a message to an address in a data directory, and returns the text of the newest one. */
export const messageTo = (directory: string, address: string): Promise<string> =>
  vi.waitFor(
    async () => {
      const mail = join(directory, "mail")
      const names = (await readdir(mail)).filter((name) => name.endsWith(".eml"))
      for (const name of names.sort().toReversed()) {
        const message = await PostalMime.parse(await readFile(join(mail, name)))
        if (message.to?.some((to) => to.address === address) === true) return message.text ?? ""
      }
      throw new Error(`No message to ${address}`)
    },
    { timeout: 60_000, interval: 10 }
  )

/** The code in the newest message to an address: the only indented line. It waits for another code than the `known` one. */
export const codeFor = (directory: string, address: string, known?: unknown): Promise<string> =>
  vi.waitFor(
    async () => {
      const text = await messageTo(directory, address)
      const code = /^ {4}(?<code>\S+)\r?$/mu.exec(text)?.groups?.["code"]
      if (code === undefined || code === known) throw new Error(`No new code in the message:\n${text}`)
      return code
    },
    { timeout: 60_000, interval: 10 }
  )
