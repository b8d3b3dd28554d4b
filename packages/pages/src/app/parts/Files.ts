/** Files that the server makes, as downloads. */
import type { List } from "@livery/client"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { toast } from "../../components/Toast.tsx"
import { dateOf } from "../Formats.ts"
import { changing } from "../Undo.ts"
import type { AppWords } from "../words/en.ts"

/** How long a file can be taken, in milliseconds. */
const life = 60_000

/** Saves a file as a download. */
export const save = (file: Blob, name: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), life)
}

/** Saves a list as a CSV file, which is named after it and the day. */
export const saveList = async ({ csv }: List<unknown>, name: string): Promise<void> =>
  save(await csv(), `${name.replaceAll("/", "-")} ${dateOf(Date.now())}.csv`)

/** Does what a button says; a refusal is told in a toast. */
export const attempt = async (work: () => Promise<unknown>, words: AppWords): Promise<void> => {
  try {
    await changing(work)
  } catch (error) {
    const failure = failureOf(error)
    toast(failure.isPassing ? failureText(failure, words) : failure.message)
  }
}
