/** The data of the reference, which is loaded group by group. */

/** A field: its path, its type, whether it is required, what it says, and for parameters where it is sent. */
export type Field = readonly [path: string, type: string, required: boolean, text: string, place?: string]

/** What the page shows of an operation. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly text: string
  readonly callers: string
  readonly roles: string
  readonly parameters: ReadonlyArray<Field>
  readonly body: ReadonlyArray<Field>
  readonly result: ReadonlyArray<Field>
  readonly isList: boolean
  readonly example: {
    readonly curl: string
    readonly ts: string
    readonly python: string
    readonly response: string
    readonly isMade: boolean
  }
  readonly refusals: ReadonlyArray<string>
  readonly errors: ReadonlyArray<readonly [status: string, types: string]>
}

/** An operation in the index: its id, its method, its path and its summary. */
export type Listed = readonly [id: string, method: string, path: string, summary: string]

/** What the page shows first. */
export interface Index {
  /** Programs; `BASE` stands for the address of the API. */
  readonly programs: {
    readonly curl: string
    readonly client: string
    readonly verifyInTypeScript: string
    readonly verifyInPython: string
  }
  readonly parts: ReadonlyArray<
    readonly [
      part: string,
      groups: ReadonlyArray<readonly [name: string, file: string, operations: ReadonlyArray<Listed>]>
    ]
  >
  readonly errors: ReadonlyArray<ReadonlyArray<string>>
  readonly issues: ReadonlyArray<ReadonlyArray<string>>
  readonly events: ReadonlyArray<readonly [type: string, summary: string]>
}

const files = import.meta.glob<string>("./data/*.json", { query: "?url", import: "default", eager: true })

const loaded = new Map<string, Promise<unknown>>()

const load = <A>(name: string): Promise<A> => {
  const known = loaded.get(name)
  if (known !== undefined) return known as Promise<A>
  const loading = fetch(new URL(files[`./data/${name}.json`] ?? `${name}.json`, document.baseURI)).then(
    (response) => {
      if (!response.ok) throw new Error(`${name} could not be loaded: status ${response.status}`)
      return response.json() as Promise<A>
    }
  )
  loaded.set(name, loading)
  loading.catch(() => loaded.delete(name))
  return loading
}

/** The index of all operations. */
export const loadIndex = () => load<Index>("index")

/** The operations of a group. */
export const loadGroup = (file: string) => load<ReadonlyArray<Operation>>(file)

/** A sample of each event. */
export const loadSamples = () => load<Readonly<Record<string, unknown>>>("events-samples")
