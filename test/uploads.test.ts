/** Uploads to a running server: the address in their `url`, and a bucket that never answers. */
import { request } from "node:http"
import { createServer, type Server as TcpServer } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { samples } from "../packages/integrations/test/files/Samples.ts"
import { type Account, signUp } from "./support/Account.ts"
import { type Installation, installation } from "./support/Installation.ts"
import { outcomeOf } from "./support/Program.ts"
import type { Server } from "./support/Server.ts"

interface Uploaded {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: {
    readonly data?: { readonly url: string }
    readonly error?: { readonly type: string }
  }
}

/** By hand: `fetch` ignores a `Host` header and sends the server's own name. */
const upload = (server: Server, { apiKey }: Account, host: string) =>
  new Promise<Uploaded>((resolve, reject) => {
    const form = Buffer.concat([
      Buffer.from('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
      samples.png,
      Buffer.from("\r\n--x--\r\n")
    ])
    const { hostname, port } = new URL(server.address)
    const sent = request(
      {
        host: hostname,
        port,
        method: "POST",
        path: "/api/v1/uploads",
        headers: {
          Host: host,
          Authorization: `Bearer ${apiKey}`,
          "Content-Type": "multipart/form-data; boundary=x",
          "Content-Length": form.length
        }
      },
      (response) => {
        let text = ""
        response.on("data", (chunk: Buffer) => (text += chunk.toString()))
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers["retry-after"],
            body: JSON.parse(text)
          })
        )
      }
    )
    sent.on("error", reject)
    sent.end(form)
  })

describe("an upload", () => {
  let place: Installation
  let account: Account
  let bucket: TcpServer
  let reached: Promise<void>
  let endpoint: string
  beforeAll(async () => {
    place = await installation()
    const first = await place.serve()
    account = await signUp(place, first)
    await first.stop()
    let reach = () => {}
    reached = new Promise((resolve) => (reach = resolve))
    bucket = createServer((socket) => {
      socket.on("error", () => undefined)
      socket.resume()
      reach()
    })
    endpoint = await new Promise((resolve) => {
      bucket.listen(0, "127.0.0.1", () => {
        const address = bucket.address()
        resolve(`http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`)
      })
    })
  })
  afterAll(async () => {
    bucket.close()
    await place.remove()
  })

  it("has an address below that of the server, whatever host the request names", async () => {
    const open = await place.serve([], { HOST: "0.0.0.0" })
    assert.match(open.address, /^http:\/\/localhost:\d+$/u)
    const { body } = await upload(open, account, "evil.example")
    assert.isTrue(body.data?.url.startsWith(`${open.address}/uploads/`), body.data?.url)
    const served = await fetch(body.data?.url ?? "")
    assert.deepStrictEqual([served.status, (await served.bytes()).length], [200, samples.png.length])
    assert.strictEqual((await open.stop()).code, 0)
  })

  it(
    "to a bucket that never responds is 500 with Retry-After, and the server can stop meanwhile",
    { timeout: 120_000 },
    async () => {
      const settings = {
        UPLOADS_URL: `s3://pictures?endpoint=${endpoint}`,
        // Longer than the 9 s after which the upload fails: the same event loop has both timers.
        SHUTDOWN_GRACE: "15",
        AWS_ACCESS_KEY_ID: "test",
        AWS_SECRET_ACCESS_KEY: "test"
      }
      const server = await place.serve([], settings)
      const answer = upload(server, account, "localhost")
      await reached
      server.program.signal("SIGTERM")
      const { body, retryAfter, status } = await answer
      assert.deepStrictEqual([status, body.error?.type, retryAfter], [500, "server_error", "5"])
      const { code, stderr } = await outcomeOf(server.program)
      assert.strictEqual(code, 0)
      // Each line of the log is one of ours.
      for (const line of stderr.trim().split("\n")) assert.doesNotThrow(() => JSON.parse(line), line)
    }
  )
})
