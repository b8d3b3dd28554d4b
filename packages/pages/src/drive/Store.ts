/** What the page keeps on the phone, so that a closed browser loses nothing: what is still to be sent, and the last job. */
import type { Report } from "./Job.ts"

/** A position of the phone. */
export interface Fix {
  readonly lat: number
  readonly lng: number
  readonly accuracy: number | null
  readonly heading: number | null
  readonly speed: number | null
  readonly recorded_at: string
}

/** Something to be sent, in the order of its `id`. */
export type Waiting = {
  readonly id?: number
  /** The owner: the token of a link, or `account:<business>:<person>`. */
  readonly of: string
  /** The idempotency key. */
  readonly key: string
} & (
  | { readonly kind: "report"; readonly trip: number; readonly body: Report }
  | { readonly kind: "position"; readonly body: Fix }
)

const result = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error ?? new Error("The phone kept nothing")))
  })

const connect = () => {
  const request = indexedDB.open("livery-drive", 1)
  request.addEventListener("upgradeneeded", () => {
    request.result.createObjectStore("waiting", { keyPath: "id", autoIncrement: true })
    request.result.createObjectStore("kept")
  })
  return result(request)
}

let connection: Promise<IDBDatabase> | undefined

/** Runs `work` in a transaction, and resolves once it is on the disk. */
const write = async (name: string, work: (store: IDBObjectStore) => void): Promise<void> => {
  connection ??= connect()
  const transaction = (await connection).transaction(name, "readwrite", { durability: "strict" })
  work(transaction.objectStore(name))
  await new Promise<void>((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve())
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new Error("The phone kept nothing"))
    )
  })
}

const read = async <A>(name: string, work: (store: IDBObjectStore) => IDBRequest<A>): Promise<A> => {
  connection ??= connect()
  return result(work((await connection).transaction(name).objectStore(name)))
}

/** Keeps something to be sent. */
export const addWaiting = (waiting: Waiting): Promise<void> =>
  write("waiting", (store) => void store.add(waiting))

/** Changes what is to be sent, at its place in the order. What was sent meanwhile stays forgotten. */
export const changeWaiting = (changed: Waiting): Promise<void> =>
  write("waiting", (store) => {
    const found = store.get(changed.id ?? 0)
    found.addEventListener("success", () => void (found.result && store.put(changed)))
  })

/** All that is to be sent. */
export const allWaiting = (): Promise<ReadonlyArray<Waiting>> =>
  read("waiting", (store) => store.getAll() as IDBRequest<Array<Waiting>>)

/** Forgets what was sent. */
export const removeWaiting = (ids: ReadonlyArray<number | undefined>): Promise<void> =>
  write("waiting", (store) => {
    for (const id of ids) if (id !== undefined) store.delete(id)
  })

/** Keeps a record under a name, or forgets it. */
export const keep = (name: string, record: unknown): Promise<void> =>
  write("kept", (store) => void (record === undefined ? store.delete(name) : store.put(record, name)))

/** The record under a name. */
export const kept = <A>(name: string): Promise<A | undefined> =>
  read("kept", (store) => store.get(name) as IDBRequest<A | undefined>)

/** Forgets the records of all accounts. Their names begin with their owner. */
export const forgetAccounts = (): Promise<void> =>
  write("kept", (store) => void store.delete(IDBKeyRange.bound("account:", "account;")))
