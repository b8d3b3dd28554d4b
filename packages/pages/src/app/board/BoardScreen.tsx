/** The dispatch board. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { EmptyState } from "../../components/EmptyState.tsx"
import { Failed, failureText } from "../../components/Failed.tsx"
import { later } from "../../components/Later.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { ImportLink } from "../parts/ImportLink.tsx"
import { Page } from "../parts/Page.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import { isAtLeast } from "../parts/Wide.ts"
import { changeLayout, layout } from "../Preferences.ts"
import { query, setQuery } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { selectedCommands } from "./Commands.ts"
import { Dialogs } from "./Dialogs.tsx"
import { follow, reload } from "./Follow.ts"
import { JobList } from "./JobList.tsx"
import { Panel } from "./Panel.tsx"
import { PlanStrip } from "./Plan.tsx"
import { accept, acceptAll, discard, isPlanning, plan, suggest } from "./plan.ts"
import {
  all,
  chip,
  dialog,
  drivers,
  failure,
  isLoaded,
  now,
  readAt,
  search,
  select,
  selectedJob,
  step,
  swapping
} from "./state.ts"
import { Timeline } from "./Timeline.tsx"
import { BoardViews, RowsChoice, Toolbar } from "./Toolbar.tsx"
import type { BoardWords } from "./words/en.ts"
import "./board.css"

const Tour = later(() => import("./Tour.tsx").then((module) => module.Tour))

/** Whether there is room for a timeline. */
const wide = isAtLeast(900)

const Stale = ({ words }: { readonly words: BoardWords }) =>
  failure.value === undefined ? null : (
    <Notice tone="warn" role="status">
      {fill(words.stale, {
        age: format.ago(Math.max(0, (now.value - readAt.value) / 1000)),
        reason: failureText(failure.value, words)
      })}{" "}
      <button type="button" class="link" onClick={() => void reload()}>
        {words.retry}
      </button>
    </Notice>
  )

const Empty = ({ words }: { readonly words: BoardWords }) => (
  <EmptyState icon="calendar" title={words.noJobs}>
    <p class="muted">{drivers.value.length === 0 ? words.noDriversHelp : words.noJobsHelp}</p>
    {mayWrite("operations") && (
      <div class="row">
        <button type="button" class="button primary" onClick={openNew}>
          {words.newJob}
        </button>
        {drivers.value.length === 0 && <ImportLink kind="drivers" words={words} />}
      </div>
    )}
  </EmptyState>
)

const openNew = () => {
  dialog.value = { kind: "new" }
}

const openCopyDay = () => {
  dialog.value = { kind: "copyDay" }
}

/** Ends what is begun, one thing after the other. */
const stepBack = () => {
  if (swapping.value !== undefined) swapping.value = undefined
  else if (plan.value !== undefined) discard()
  else if (chip.value !== undefined) chip.value = undefined
  else if (search.value === "") select(undefined)
  else search.value = ""
}

/** The commands that accept a plan, while there is one. */
const planCommands = (words: BoardWords) =>
  plan.value === undefined
    ? []
    : [
        { key: "w", label: words.planAcceptAll, run: () => void acceptAll(words) },
        ...(selectedJob.value === undefined
          ? []
          : [
              {
                key: "y",
                label: words.planAccept,
                run: () => void accept([selectedJob.value?.trip_id ?? 0], words)
              }
            ])
      ]

const Board = ({ words }: ScreenProps<BoardWords>): JSX.Element => {
  const isWide = wide.value
  const isList = !isWide || query.value.get("view") === "list"
  useEffect(follow, [])
  useCommands([
    { key: "j", label: words.nextJob, run: () => step(1) },
    { key: "k", label: words.previousJob, run: () => step(-1) },
    { key: "i", label: words.tour, run: () => changeLayout({ tour: 1 }) },
    { key: "Escape", label: words.stepBack, run: stepBack, isHidden: true },
    ...(mayWrite("operations")
      ? [
          { key: "n", label: words.newJob, run: openNew },
          { key: "p", label: words.suggest, run: () => void suggest() },
          ...planCommands(words),
          ...selectedCommands(words)
        ]
      : [])
  ])
  const content = () => {
    if (!isLoaded.value)
      return failure.value === undefined ? (
        <Waiting words={words} heights={[70, 40, 40, 40, 40, 40]} />
      ) : (
        <Failed failure={failure.value} words={words} gone={words.noSuchRecord} retry={() => void reload()} />
      )
    if (all.value.length === 0 && drivers.value.length === 0) return <Empty words={words} />
    return (
      <div class={selectedJob.value === undefined ? "board" : "board has-selected"}>
        {isList ? (
          all.value.length === 0 ? (
            <Empty words={words} />
          ) : (
            <JobList words={words} />
          )
        ) : (
          <Timeline words={words} />
        )}
        <Panel words={words} />
      </div>
    )
  }
  return (
    <Page
      title={words.board}
      isFull
      actions={
        <>
          <BoardViews words={words} />
          {!isList && <RowsChoice words={words} />}
          {isWide && (
            <button
              type="button"
              class="button small-button"
              aria-pressed={isList}
              onClick={() => setQuery({ view: isList ? undefined : "list" })}
            >
              {words.list}
            </button>
          )}
          {mayWrite("operations") && (
            <>
              <button type="button" class="button small-button" onClick={openCopyDay}>
                {words.copyDay}
              </button>
              <button
                type="button"
                class="button small-button"
                disabled={isPlanning.value}
                onClick={() => void suggest()}
              >
                {words.suggest}
              </button>
              <button type="button" class="button primary small-button" onClick={openNew}>
                {words.newJob}
              </button>
            </>
          )}
        </>
      }
    >
      <Toolbar words={words} />
      {isLoaded.value && <Stale words={words} />}
      {swapping.value !== undefined && (
        <Notice role="status" icon="info">
          {words.swapHint}
        </Notice>
      )}
      {isLoaded.value && <PlanStrip words={words} />}
      {content()}
      <Dialogs words={words} />
      {isLoaded.value && typeof layout.value.tour === "number" && (
        <Tour words={words} step={layout.value.tour} />
      )}
    </Page>
  )
}

export const screen: Screen<BoardWords> = Board
