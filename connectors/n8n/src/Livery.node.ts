/** The node that calls Livery. */
import type { Livery as Client } from "@livery/client"
import { clientOf } from "./LiveryApi.credentials.ts"
import type { ExecuteFunctions, Item, Json, NodeDescription } from "./N8n.ts"

/** The operations: their names in the client, and what a person reads. A list returns one item for each record. */
const operations = [
  { value: "trips.create", name: "Book a trip" },
  { value: "trips.read", name: "Get a trip" },
  { value: "trips.list", name: "List trips", isList: true },
  { value: "trips.update", name: "Change or cancel a trip" },
  { value: "trips.duplicate", name: "Copy a trip" },
  { value: "trips.repeat", name: "Repeat a trip" },
  { value: "trips.assign", name: "Assign drivers to a trip" },
  { value: "dispatch.plan", name: "Suggest drivers for a day" },
  { value: "customers.create", name: "Add a customer" },
  { value: "customers.list", name: "List customers", isList: true },
  { value: "drivers.list", name: "List drivers", isList: true },
  { value: "cars.list", name: "List cars", isList: true },
  { value: "invoices.create", name: "Issue an invoice" },
  { value: "invoices.list", name: "List invoices", isList: true }
] as const satisfies ReadonlyArray<{
  readonly value: string
  readonly name: string
  readonly isList?: boolean
}>

/** A list ends after this many records, so that a wrong filter does not read a whole history. */
const mostRecords = 1000

type Method = (input: Json) => PromiseLike<unknown> & Partial<AsyncIterable<unknown>>

const methodOf = (client: Client, operation: string): Method => {
  const [group = "", name = ""] = operation.split(".")
  const methods = (client as unknown as Readonly<Record<string, Readonly<Record<string, Method>>>>)[group]
  const method = operations.some(({ value }) => value === operation) ? methods?.[name] : undefined
  if (method === undefined) throw new Error(`There is no operation ${operation}`)
  return method
}

/** The input of an operation: a JSON object, or its text. */
const inputOf = (given: unknown): Json => {
  const value: unknown = typeof given === "string" ? JSON.parse(given === "" ? "{}" : given) : given
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("The input must be a JSON object")
  return value as Json
}

const jsonOf = (record: unknown): Json =>
  typeof record === "object" && record !== null && !Array.isArray(record)
    ? (record as Json)
    : { data: record }

/** The records that an operation returns. */
const recordsOf = async (client: Client, operation: string, input: Json): Promise<ReadonlyArray<Json>> => {
  const answer = methodOf(client, operation)(input)
  if (!operation.endsWith(".list")) return [jsonOf(await answer)]
  const records: Array<Json> = []
  for await (const record of answer as AsyncIterable<unknown>) {
    records.push(jsonOf(record))
    if (records.length >= mostRecords) break
  }
  return records
}

export class Livery {
  readonly description: NodeDescription = {
    displayName: "Livery",
    name: "livery",
    icon: "fa:car",
    group: ["transform"],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: "Books trips and reads the office of a chauffeur business",
    defaults: { name: "Livery" },
    inputs: ["main"],
    outputs: ["main"],
    credentials: [{ name: "liveryApi", required: true }],
    properties: [
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "trips.create",
        options: operations.map(({ name, value }) => ({ name, value, action: name }))
      },
      {
        displayName: "Input",
        name: "input",
        type: "json",
        default: "{}",
        description: "The fields of the request as the API reference names them; `id` is the record's id"
      }
    ]
  }

  /** Calls the operation once for each item. A failed item ends the run, unless the node continues on failures. */
  async execute(this: ExecuteFunctions): Promise<ReadonlyArray<ReadonlyArray<Item>>> {
    const client = clientOf(await this.getCredentials("liveryApi"))
    const items: Array<Item> = []
    for (const index of this.getInputData().keys()) {
      try {
        const operation = String(this.getNodeParameter("operation", index))
        const input = inputOf(this.getNodeParameter("input", index, "{}"))
        for (const json of await recordsOf(client, operation, input))
          items.push({ json, pairedItem: { item: index } })
      } catch (error) {
        if (!this.continueOnFail()) throw error
        const message = error instanceof Error ? error.message : String(error)
        items.push({ json: { error: message }, pairedItem: { item: index } })
      }
    }
    return [items]
  }
}
