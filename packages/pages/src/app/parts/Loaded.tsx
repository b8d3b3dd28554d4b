/** Records that a screen reads: while they load, when they could not be read, and when they are old. */
import type { ComponentChildren, JSX } from "preact"
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { type Failure, failureOf } from "../../api/Failure.ts"
import { Failed, failureText } from "../../components/Failed.tsx"
import { Notice } from "../../components/Notice.tsx"
import { fill } from "../../i18n/Format.ts"
import { format } from "../../i18n/Language.ts"
import type { AppWords } from "../words/en.ts"
import { Waiting } from "./Waiting.tsx"

/** What a reading has brought so far. */
export interface Reading<A> {
  readonly data: A | undefined
  /** When the data was read. */
  readonly at: number
  /** Why the latest reading failed; the data is then of an earlier one. */
  readonly failure: Failure | undefined
  readonly reload: () => void
  /** Takes a record that a change has returned. */
  readonly set: (data: A) => void
}

/** Reads records, and again when `key` changes. The data of another key is forgotten. */
export const useReading = <A,>(key: string, read: () => Promise<A>): Reading<A> => {
  const [state, setState] = useState<{ key: string; data?: A; at: number; failure?: Failure }>({ key, at: 0 })
  const latest = useRef(0)
  const reload = useCallback(() => {
    const turn = ++latest.current
    read().then(
      (data) => {
        if (turn === latest.current) setState({ key, data, at: Date.now() })
      },
      (error: unknown) => {
        if (turn === latest.current)
          setState((before) => ({
            ...(before.key === key ? before : { key, at: 0 }),
            failure: failureOf(error)
          }))
      }
    )
  }, [key])
  useEffect(() => {
    reload()
    addEventListener("online", reload)
    return () => {
      latest.current++
      removeEventListener("online", reload)
    }
  }, [key])
  const isPresent = state.key === key
  return {
    data: isPresent ? state.data : undefined,
    at: state.at,
    failure: isPresent ? state.failure : undefined,
    reload,
    set: (data) => {
      latest.current++
      setState({ key, data, at: Date.now() })
    }
  }
}

/** Shows what was read, or why there is nothing to show. */
export const Loaded = <A,>({
  children,
  heights = [40, 320],
  reading: { at, data, failure, reload },
  words
}: {
  readonly reading: Reading<A>
  readonly words: AppWords
  readonly heights?: ReadonlyArray<number>
  readonly children: (data: A) => ComponentChildren
}): JSX.Element => {
  if (data === undefined)
    return failure === undefined ? (
      <Waiting words={words} heights={heights} />
    ) : (
      <Failed failure={failure} words={words} gone={words.noSuchRecord} retry={reload} />
    )
  return (
    <>
      {failure !== undefined && (
        <Notice tone="warn" role="status">
          {fill(words.stale, {
            age: format.ago((Date.now() - at) / 1000),
            reason: failureText(failure, words)
          })}{" "}
          <button type="button" class="link" onClick={reload}>
            {words.retry}
          </button>
        </Notice>
      )}
      {children(data)}
    </>
  )
}
