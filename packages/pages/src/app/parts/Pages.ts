/** A list of the API that is read page by page. */
import type { List, Page } from "@livery/client"
import { useState } from "preact/hooks"
import { type Failure, failureOf } from "../../api/Failure.ts"
import { type Reading, useReading } from "./Loaded.tsx"

interface Rows<A> {
  readonly rows: ReadonlyArray<A>
  readonly total: number | undefined
  readonly last: Page<A>
}

/** The rows that were read so far, and how to read more. */
export interface Pages<A> {
  readonly reading: Reading<Rows<A>>
  /** The list with its present filters. */
  readonly list: () => List<A>
  readonly isMore: boolean
  readonly more: () => Promise<void>
  readonly moreFailure: Failure | undefined
}

const rowsOf = <A>(page: Page<A>, before: ReadonlyArray<A> = []): Rows<A> => ({
  rows: [...before, ...page.data],
  total: page.meta.pagination.total,
  last: page
})

/** Reads the first page of a list, and again when `key` changes. */
export const usePages = <A>(key: string, list: () => List<A>): Pages<A> => {
  const reading = useReading(key, async () => rowsOf(await list().page()))
  const [moreFailure, setFailure] = useState<Failure>()
  const { data } = reading
  return {
    reading,
    list,
    isMore: data?.last.meta.pagination.has_more ?? false,
    moreFailure,
    more: async () => {
      if (data === undefined) return
      setFailure(undefined)
      try {
        const next = await data.last.next()
        if (next !== undefined) reading.set(rowsOf(next, data.rows))
      } catch (error) {
        setFailure(failureOf(error))
      }
    }
  }
}
