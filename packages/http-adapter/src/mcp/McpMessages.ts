/**
 * The messages of the Model Context Protocol, by JSON-RPC 2.0: one request, one response, no session. `McpServer` of Effect
 * keeps the sessions of its protocols in the memory of a process; the nodes of an installation keep no state.
 */
import type { Json } from "@livery/contract"
import { Effect } from "effect"

/** The revisions of the protocol that have the messages below, the newest first. */
const revisions = ["2025-11-25", "2025-06-18", "2025-03-26"]

/** A result, or an error by its code. */
export type McpOutcome =
  | { readonly result: Json }
  | { readonly error: { readonly code: number; readonly message: string } }

/** The parts of a server that answer messages. */
interface McpParts<R> {
  readonly listTools: Effect.Effect<ReadonlyArray<Json>, never, R>
  readonly callTool: (name: string, args: Json) => Effect.Effect<McpOutcome, never, R>
  readonly resources: ReadonlyArray<Json>
  readonly readResource: (uri: string) => Effect.Effect<string | undefined, never, R>
  readonly version: string
}

const failed = (code: number, message: string): McpOutcome => ({ error: { code, message } })

const instructions =
  "Livery runs a chauffeur business: trips, drivers, customers, quotes, invoices. A tool that changes something returns a " +
  "preview first. Show it to the person, then call the tool again with the same arguments and `confirmation_token`."

/** The outcome of a request. */
export const outcomeOf = <R>(
  parts: McpParts<R>,
  method: string,
  params: Json
): Effect.Effect<McpOutcome, never, R> => {
  const text = (name: string) => {
    const value = params[name]
    return typeof value === "string" ? value : ""
  }
  switch (method) {
    case "initialize":
      return Effect.succeed({
        result: {
          protocolVersion: revisions.find((revision) => revision === text("protocolVersion")) ?? revisions[0],
          capabilities: { tools: {}, resources: {} },
          serverInfo: { name: "livery", title: "Livery", version: parts.version },
          instructions
        }
      })
    case "ping":
      return Effect.succeed({ result: {} })
    case "tools/list":
      return Effect.map(parts.listTools, (tools) => ({ result: { tools } }))
    case "tools/call": {
      const args = params["arguments"] ?? {}
      return typeof args === "object" && !Array.isArray(args)
        ? parts.callTool(text("name"), args as Json)
        : Effect.succeed(failed(-32602, "`arguments` is an object"))
    }
    case "resources/list":
      return Effect.succeed({ result: { resources: parts.resources } })
    case "resources/read":
      return Effect.map(parts.readResource(text("uri")), (content) =>
        content === undefined
          ? failed(-32002, "There is no such resource")
          : { result: { contents: [{ uri: text("uri"), mimeType: "application/json", text: content }] } }
      )
    default:
      return Effect.succeed(failed(-32601, `There is no method ${method}`))
  }
}
