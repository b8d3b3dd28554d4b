/** The table of operations that the client reads at run time. */
import { type Document, type Operation, operationsOf } from "./ApiDocument.ts"

/** How the table names the methods. */
const initials: Readonly<Record<string, string>> = { GET: "G", POST: "P", PATCH: "M", DELETE: "D" }

const accepts = ({ parameters }: Operation, header: string) =>
  parameters.some((it) => it.in === "header" && it.name.toLowerCase() === header)

/**
 * The flags of an operation in the table: `k` accepts an `Idempotency-Key`, `l` is a list with pages, `s` a stream of
 * events, `b` a file, `u` takes a form, `p` needs no credential, `d` takes the driver's token.
 */
const flagsOf = (operation: Operation) =>
  [
    accepts(operation, "idempotency-key") ? "k" : "",
    operation.isList ? "l" : "",
    operation.success.type === "text/event-stream" ? "s" : "",
    operation.success.type === "application/json" || operation.success.type === "text/event-stream"
      ? ""
      : "b",
    operation.body?.type === "multipart/form-data" ? "u" : "",
    operation.security.length === 0 ? "p" : "",
    operation.security.includes("driver_token") ? "d" : ""
  ].join("")

/** The first line of a generated file. */
export const generated =
  "// Written by scripts/client.ts from the OpenAPI document. Do not edit: run `npm run client:write`.\n"

/** The table of operations: a line for each group, `name: operation METHOD flags path; …`. */
export const operationTable = (document: Document): string => {
  const groups = Map.groupBy(operationsOf(document), ({ id }) => id.slice(0, id.indexOf(".")))
  const lines = [...groups].map(([group, operations]) => {
    const entries = operations.map((operation) => {
      const name = operation.id.slice(group.length + 1)
      const initial = initials[operation.method]
      return `${name} ${initial}${flagsOf(operation)} ${operation.path}`
    })
    return `${group}:${entries.join(";")}`
  })
  return `${generated}
/** Each group with its operations: the name, the initial of the method with flags, and the path. */
export const table = \`${lines.join("\n")}\`
`
}
