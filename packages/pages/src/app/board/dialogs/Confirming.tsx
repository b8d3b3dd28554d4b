/** What the server asks to confirm, and the exchange of two jobs' drivers. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { failureOf, type Failure } from "../../../api/Failure.ts"
import { failureText } from "../../../components/Failed.tsx"
import { Notice } from "../../../components/Notice.tsx"
import { fill } from "../../../i18n/Format.ts"
import { timeOf } from "../../Formats.ts"
import { Confirm } from "../../parts/Confirm.tsx"
import { assign, swapEntries } from "../Actions.ts"
import { tryCrews, type Verdict } from "../DryRun.ts"
import { driversOf, type Job } from "../Jobs.ts"
import type { Entry, Warning } from "../state.ts"
import { warningsOf, warningText } from "../Warnings.ts"
import type { BoardWords } from "../words/en.ts"

interface Common {
  readonly onClose: () => void
  readonly words: BoardWords
}

const Warnings = ({
  warnings,
  words
}: {
  readonly warnings: ReadonlyArray<Warning>
  readonly words: BoardWords
}) => (
  <>
    {warnings.map((warning, index) => (
      <Notice key={index} tone="bad">
        {warningText(warning, words)}
      </Notice>
    ))}
  </>
)

/** Says why the server refuses, and assigns all the same if that is meant. */
export const ForceDialog = ({
  entries,
  label,
  onClose,
  warnings,
  words
}: Common & {
  readonly entries: ReadonlyArray<Entry>
  readonly label: string
  readonly warnings: ReadonlyArray<Warning>
}): JSX.Element => (
  <Confirm
    title={words.refusedTitle}
    submit={words.assignAnyway}
    words={words}
    onClose={onClose}
    onConfirm={() => assign(entries, label, words, true)}
  >
    <Warnings warnings={warnings} words={words} />
  </Confirm>
)

const Side = ({ job, words }: { readonly job: Job; readonly words: BoardWords }) => (
  <p>
    <b>
      {timeOf(job.trip_date)} {job.reference}
    </b>{" "}
    <bdi>
      {driversOf(job)
        .map(({ name }) => name)
        .join(", ") || words.nobody}
    </bdi>
  </p>
)

export const SwapDialog = ({
  one,
  onClose,
  other,
  words
}: Common & { readonly one: Job; readonly other: Job }): JSX.Element => {
  const [verdict, setVerdict] = useState<Verdict>()
  const [refusal, setRefusal] = useState<Failure>()
  useEffect(() => {
    tryCrews(swapEntries(one, other)).then(setVerdict, () => undefined)
  }, [])
  const refused = refusal ?? verdict?.refusal
  const warnings = refused === undefined ? (verdict?.warnings ?? []) : warningsOf(refused)
  return (
    <Confirm
      title={words.swapTitle}
      submit={refusal !== undefined && warnings.length > 0 ? words.swapAnyway : words.swap}
      words={words}
      onClose={onClose}
      onConfirm={async () => {
        const label = fill(words.swapped, { one: one.reference, other: other.reference })
        try {
          await assign(swapEntries(one, other), label, words, refusal !== undefined)
        } catch (error) {
          setRefusal(failureOf(error))
          throw error
        }
      }}
    >
      <Side job={one} words={words} />
      <Side job={other} words={words} />
      {refused !== undefined && warnings.length === 0 && (
        <Notice tone="bad">{failureText(refused, words)}</Notice>
      )}
      <Warnings warnings={warnings} words={words} />
    </Confirm>
  )
}
