/** `livery mcp`: the MCP server of a running Livery on standard input and output, for programs that start a command. */
import { Console, Effect, Stdio, Stream } from "effect"
import { Command } from "effect/cli"
import { keyOf, serverFlags } from "../../remote/RemoteServer.ts"
import { descriptions } from "../../usage/Descriptions.ts"

const idOf = (line: string): unknown => {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === "object" && message !== null && "id" in message ? message.id : null
  } catch {
    return null
  }
}

/** Sends one message to `/mcp` of a server, and returns the line of its answer; undefined if it has none. */
export const mcpAnswer = async (url: string, apiKey: string, line: string): Promise<string | undefined> => {
  const failed = (message: string) =>
    JSON.stringify({ jsonrpc: "2.0", id: idOf(line), error: { code: -32000, message } })
  try {
    const response = await fetch(`${url.replace(/\/+$/u, "")}/mcp`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: line,
      redirect: "manual"
    })
    const text = await response.text()
    // The server has refused the message as such, in the protocol's own form.
    if (response.ok || text.startsWith('{"jsonrpc"')) return text === "" ? undefined : text
    return failed(`${url} answered ${response.status}: ${text}`)
  } catch {
    return failed(`${url} cannot be reached`)
  }
}

export const mcp = Command.make(
  "mcp",
  serverFlags,
  Effect.fn(function* ({ apiKey, url }) {
    const key = yield* keyOf(apiKey)
    const { stdin } = yield* Stdio.Stdio
    yield* stdin.pipe(
      Stream.decodeText,
      Stream.splitLines,
      Stream.filter((line) => line.trim() !== ""),
      Stream.runForEach((line) =>
        Effect.flatMap(
          Effect.promise(() => mcpAnswer(url, key, line)),
          (answer) => (answer === undefined ? Effect.void : Console.log(answer))
        )
      ),
      Effect.orDie
    )
  })
).pipe(
  Command.withDescription(descriptions.mcp),
  Command.withExamples([
    { command: "livery mcp", description: "With the server of LIVERY_URL and the API key of LIVERY_API_KEY" }
  ])
)
