/** The page of a driver: one job by its link, or the jobs of a signed-in driver. */
import type { JSX } from "preact"
import { useEffect } from "preact/hooks"
import { isSignedIn } from "../api/Person.ts"
import { EmptyState } from "../components/EmptyState.tsx"
import { Failed } from "../components/Failed.tsx"
import { Shell, Skeleton } from "../shell/Shell.tsx"
import { Contact } from "./Contact.tsx"
import { JobList } from "./JobList.tsx"
import { JobView } from "./JobView.tsx"
import { begin, failure, isAccount, isList, job, jobs, office, retry, tick } from "./state.ts"
import type { DriveWords } from "./words/en.ts"
import "./drive.css"

const Screen = ({ words }: { readonly words: DriveWords }) => {
  if (isAccount && isSignedIn.value === false)
    return (
      <EmptyState icon="info" title={words.signInFirst}>
        <a class="button primary" href={`./login${location.search}`}>
          {words.signIn}
        </a>
      </EmptyState>
    )
  const known = job.value
  if (known !== undefined) return <JobView job={known} words={words} />
  if (isList && jobs.value !== undefined) return <JobList jobs={jobs.value} words={words} />
  const failed = failure.value
  if (failed === undefined) return <Skeleton heights={[90, 320, 160]} words={words} />
  // The link of a job that has ended is refused like a wrong one.
  if (failed.status === 401 || failed.isNotFound)
    return (
      <EmptyState icon="info" title={words.gone}>
        <p class="muted">{words.goneHelp}</p>
      </EmptyState>
    )
  return <Failed failure={failed} words={words} gone={words.goneHelp} retry={retry} />
}

export const DrivePage = ({ words }: { readonly words: DriveWords }): JSX.Element => {
  useEffect(() => {
    document.title = isList ? words.jobs : words.title
    void begin()
    return tick()
  }, [words])
  return (
    <Shell brand={office.value} words={words}>
      <Contact words={words} />
      <Screen words={words} />
    </Shell>
  )
}
