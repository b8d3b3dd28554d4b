/** What is shown while records load; after 150 ms, so that it does not flash. */
import type { JSX } from "preact"
import { Skeleton } from "../../shell/Shell.tsx"
import type { SharedWords } from "../../words/en.ts"

export const Waiting = ({
  heights,
  words
}: {
  readonly words: SharedWords
  readonly heights: ReadonlyArray<number>
}): JSX.Element => (
  <div class="waiting">
    <Skeleton words={words} heights={heights} />
  </div>
)
