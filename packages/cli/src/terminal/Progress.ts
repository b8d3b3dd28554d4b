/** The progress of long work: a bar on a terminal, and nothing elsewhere. */
import { Effect } from "effect"
import type { OnProgress } from "@livery/domain"
import { type TerminalStream, widthOf } from "./TerminalWidth.ts"

const widest = 30
const narrowest = 5

/**
 * The bar of a share from 0 to 1, such as `Copying [=====     ]  50 %`, on a terminal of that width. It is shorter than a
 * line, because a line that wraps cannot be removed; without room for a bar, the percentage stands alone.
 */
export const barOf = (label: string, share: number, columns = 80): string => {
  const bounded = Math.min(1, Math.max(0, share))
  const percent = `${String(Math.floor(bounded * 100)).padStart(3)} %`
  const width = Math.min(widest, columns - 1 - `${label} [] ${percent}`.length)
  if (width < narrowest) return `${label} ${percent}`.slice(0, Math.max(0, columns - 1))
  const filled = Math.round(bounded * width)
  return `${label} [${"=".repeat(filled)}${" ".repeat(width - filled)}] ${percent}`
}

/** Where a bar is drawn. */
export interface ProgressStream extends TerminalStream {
  readonly write: (text: string) => unknown
}

/**
 * A bar on standard error; nothing is drawn if that is no terminal. `update` draws it again if its text has changed. `end`
 * removes it, so that only the result of the command remains.
 */
export const progressBar = (label: string, stream: ProgressStream = process.stderr) => {
  let shown = ""
  const show = (text: string) => {
    if (stream.isTTY !== true || text === shown) return
    stream.write(`\r${text === "" ? " ".repeat(shown.length) + "\r" : text}`)
    shown = text
  }
  return {
    update: (done: number, total: number) =>
      show(barOf(label, total === 0 ? 1 : done / total, widthOf(stream))),
    end: () => show("")
  }
}

/** Runs work that reports its progress, and shows a bar until the work ends. */
export const withProgress = <A, E, R>(
  label: string,
  work: (onProgress: OnProgress) => Effect.Effect<A, E, R>
) =>
  Effect.suspend(() => {
    const bar = progressBar(label)
    return Effect.ensuring(work(bar.update), Effect.sync(bar.end))
  })
