/** The frame of the office: the navigation, the state of the connection and the session, and the screen. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { failureOf, type Failure } from "../api/Failure.ts"
import { Failed, MovedLink } from "../components/Failed.tsx"
import { EmptyState } from "../components/EmptyState.tsx"
import { Notice } from "../components/Notice.tsx"
import { Toasts } from "../components/Toast.tsx"
import { fill } from "../i18n/Format.ts"
import { movedTo } from "./Api.ts"
import { useCommands } from "./Keys.ts"
import { isSuperAdmin, mayRead } from "./Member.ts"
import { Navigation } from "./Navigation.tsx"
import { Overlays, openHelp, openPalette } from "./Overlays.tsx"
import { SessionEnded } from "./SessionEnded.tsx"
import { isOnline } from "./Online.ts"
import { undoLast } from "./Undo.ts"
import { hrefOf, navigate, parts } from "./Router.ts"
import { type Entry, entries, entryOf, type Loaded, loaded, loadScreen } from "./screens.ts"
import { Waiting } from "./parts/Waiting.tsx"
import type { AppWords } from "./words/en.ts"

/** Whether the signed-in person may see a screen. */
const isAllowed = ({ area }: Entry) => (area === "platform" ? isSuperAdmin() : mayRead(area))

const Shown = ({ entry, words }: { readonly entry: Entry; readonly words: AppWords }) => {
  const [screen, show] = useState<Loaded | undefined>(loaded.get(entry.name))
  const [failure, setFailure] = useState<Failure>()
  const load = () => {
    setFailure(undefined)
    loadScreen(entry).then(show, (error: unknown) => setFailure(failureOf(error)))
  }
  useEffect(() => {
    document.title = `${words[entry.title]} · Livery`
    if (screen?.name !== entry.name) load()
  }, [entry])
  if (failure !== undefined)
    return <Failed failure={failure} words={words} gone={words.pageMissingHelp} retry={load} />
  if (screen?.name !== entry.name) return <Waiting words={words} heights={[40, 400]} />
  return <screen.Screen words={screen.words as never} rest={parts.value.slice(entry.name === "" ? 0 : 1)} />
}

const Missing = ({ words }: { readonly words: AppWords }) => (
  <EmptyState icon="info" title={words.pageMissing}>
    <a class="button primary" href={hrefOf("/")}>
      {words.board}
    </a>
  </EmptyState>
)

const Forbidden = ({ words }: { readonly words: AppWords }) => (
  <EmptyState icon="info" title={words.forbidden}>
    <p class="muted">{words.forbiddenHelp}</p>
  </EmptyState>
)

/** Moves to the screen, past the navigation. The address stays as it is, for it may be in a bookmark. */
const skip = (event: Event): void => {
  event.preventDefault()
  document.getElementById("work")?.focus()
}

export const Frame = ({ words }: { readonly words: AppWords }): JSX.Element => {
  const name = parts.value[0] ?? ""
  const allowed = entries.filter(isAllowed)
  const entry = entryOf(name)
  const first = allowed[0]
  useEffect(() => {
    // A super-admin without a business begins with the platform.
    if (name === "" && entry !== undefined && !isAllowed(entry) && first !== undefined)
      navigate(`/${first.name}`, { replace: true })
  }, [name])
  useCommands([
    { key: "?", label: words.help, run: openHelp },
    { key: "Ctrl k", label: words.commands, run: openPalette, isHidden: true },
    { key: "Ctrl z", label: words.undo, run: () => void undoLast(words) },
    ...allowed.map(({ key, name, title }) => ({
      key: `g ${key}`,
      label: words[title],
      run: () => navigate(`/${name}`)
    }))
  ])
  const content = () => {
    if (entry === undefined) return <Missing words={words} />
    if (!isAllowed(entry)) return <Forbidden words={words} />
    return <Shown key={entry.name} entry={entry} words={words} />
  }
  return (
    <div class="office">
      <a class="skip" href="#work" onClick={skip}>
        {words.skip}
      </a>
      <Navigation
        words={words}
        entries={allowed.filter(({ within }) => within === undefined)}
        current={entry?.within ?? name}
      />
      <main class="work" id="work" tabIndex={-1}>
        {!isOnline.value && (
          <Notice tone="warn" role="status">
            {words.offlineHere}
          </Notice>
        )}
        {movedTo.value !== undefined && (
          <Notice tone="warn" role="alert">
            <p>{fill(words.moved, { url: movedTo.value })}</p>
            <MovedLink url={movedTo.value} words={words} />
          </Notice>
        )}
        {content()}
      </main>
      <Overlays words={words} />
      <SessionEnded words={words} />
      <Toasts />
    </div>
  )
}
