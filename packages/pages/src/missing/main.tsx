/** The page of an unknown address. */
import type { JSX } from "preact"
import { EmptyState } from "../components/EmptyState.tsx"
import { Shell } from "../shell/Shell.tsx"
import { start } from "../shell/Start.tsx"
import type { SharedWords } from "../words/en.ts"

const Missing = ({ words }: { readonly words: SharedWords }): JSX.Element => {
  document.title = words.pageMissing
  return (
    <Shell brand={undefined} words={words}>
      <EmptyState icon="info" title={words.pageMissing}>
        <p class="muted">{words.pageMissingHelp}</p>
      </EmptyState>
    </Shell>
  )
}

const modules = import.meta.glob<SharedWords>("../words/*.ts", { import: "default" })
const byName = Object.entries(modules).map(([path, load]) => [path.replace("../", "./"), load] as const)
await start(Object.fromEntries(byName), Missing)
