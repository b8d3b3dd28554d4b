import { assert, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { mcpAnswer } from "../src/commands/integrating/Mcp.ts"

it("passes a message to the server with the key, and says why there is no answer", async () => {
  const refusal =
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"One JSON-RPC request is expected"}}'
  const server = createServer((request, response) => {
    if (request.headers.authorization !== "Bearer lvk_1") response.writeHead(401).end("refused")
    else if (request.headers["content-length"] === "7") response.writeHead(400).end(refusal)
    else if (request.url === "/mcp") request.pipe(response.writeHead(200))
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const message = '{"jsonrpc":"2.0","id":7,"method":"ping"}'
  assert.strictEqual(await mcpAnswer(`${url}/`, "lvk_1", message), message)
  assert.include(await mcpAnswer(url, "lvk_2", message), '"id":7,"error":{"code":-32000')
  assert.include(await mcpAnswer(url, "lvk_2", message), "401")
  assert.strictEqual(await mcpAnswer(url, "lvk_1", "garbage"), refusal)
  server.close()
  assert.include(await mcpAnswer("http://127.0.0.1:1", "lvk_1", "no message"), '"id":null')
})
