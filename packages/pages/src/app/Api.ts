/** The client of the office: `api.trips.list()`. It acts with the session of the signed-in person. */
import { livery, type List } from "@livery/client"
import { signal } from "@preact/signals"
import { apiBase } from "../api/Api.ts"
import { Failure, type WrongField } from "../api/Failure.ts"
import { isSignedIn } from "../api/Person.ts"
import { accessToken } from "../api/Session.ts"

/** The business that this tab acts for. Another tab may choose another one meanwhile. */
let business: number | undefined

export const actFor = (id: number | undefined): void => {
  business = id
}

/** The new address of the business, once a request has been told that it has moved. */
export const movedTo = signal<string | undefined>(undefined)

/** Keeps the new address of a business that has moved, from the response to any request. */
const watchMove = async (response: Response): Promise<void> => {
  if (response.status !== 421) return
  const { error } = (await response.clone().json()) as { error?: { details?: ReadonlyArray<WrongField> } }
  movedTo.value = error?.details?.[0]?.url
}

const ended = () => {
  isSignedIn.value = false
  return new Failure(401, "unauthorized", "")
}

export const api = livery({
  baseUrl: apiBase,
  get businessId() {
    return business
  },
  accessToken: async () => {
    const token = await accessToken()
    if (token === undefined) throw ended()
    return token
  },
  /** A refused token is replaced once; then the session has ended. */
  fetch: async (url, init) => {
    const response = await fetch(url, { ...init, cache: "no-store" })
    await watchMove(response)
    if (response.status !== 401) return response
    const token = await accessToken(true)
    if (token === undefined) throw ended()
    return fetch(url, {
      ...init,
      cache: "no-store",
      headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
    })
  }
})

/** The records of all pages of a list, of at most `most` records. */
export const allOf = async <A>(list: List<A>, most = 5000): Promise<ReadonlyArray<A>> => {
  const records: Array<A> = []
  for (let page = await list.page(); ;) {
    records.push(...page.data)
    const next = records.length < most ? await page.next() : undefined
    if (next === undefined) return records
    page = next
  }
}
