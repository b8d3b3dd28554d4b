/** A client of the MCP server. */
import { type Json, listOf, objectOf, textOf } from "@livery/contract"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Answer, TestServer } from "../support/TestServer.ts"

const resultOf = ({ status, text }: Answer): Json => {
  assert.strictEqual(status, 200, text)
  const message = objectOf(JSON.parse(text))
  assert.strictEqual(message["jsonrpc"], "2.0")
  return message
}

/** What a tool returned: its data, and whether it is a refusal. */
export interface ToolAnswer {
  readonly data: Json
  readonly isError: boolean
}

/** A client with a credential; `business` is the one that a user acts for. */
export const mcpCaller = (server: TestServer, credential: string, business?: number) => {
  let id = 0
  const request = (method: string, params: object = {}) =>
    Effect.map(
      server.sendTo("POST", "/mcp", {
        credential,
        business,
        body: { jsonrpc: "2.0", id: (id += 1), method, params }
      }),
      resultOf
    )
  const call = (name: string, args: object = {}) =>
    Effect.map(request("tools/call", { name, arguments: args }), (message): ToolAnswer => {
      const result = objectOf(message["result"])
      return {
        data: objectOf(result["structuredContent"] ?? message["error"]),
        isError: result["isError"] !== false
      }
    })
  return {
    request,
    call,
    tools: Effect.map(request("tools/list"), ({ result }) => listOf(objectOf(result)["tools"]).map(objectOf)),
    /** Calls a tool that changes something, and confirms its preview. */
    confirm: Effect.fnUntraced(function* (name: string, args: object) {
      const preview = yield* call(name, args)
      assert.isFalse(preview.isError, JSON.stringify(preview.data))
      const { confirmation_token } = preview.data
      const done = yield* call(name, { ...args, confirmation_token: textOf(confirmation_token) })
      assert.isFalse(done.isError, JSON.stringify(done.data))
      return { preview: preview.data, record: objectOf(done.data["record"]) }
    })
  }
}
