import type { CreatedEndpointRecord, Delivery } from "@livery/domain"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { createHmac } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { type Account, signUp } from "./support/Account.ts"
import { fixedPort } from "./support/FixedPort.ts"
import { type Installation, installation } from "./support/Installation.ts"

const root = join(import.meta.dirname, "..")

const example = (file: string) => join(root, "examples", file)

/** Whether the machine can run receivers in a language. CI has all of them. */
const has = {
  ts: true,
  python: spawnSync("python3", ["--version"]).status === 0,
  go: spawnSync("go", ["version"]).status === 0
}

const languages = [
  { language: "ts", file: "receiver.ts", program: process.execPath },
  { language: "python", file: "receiver.py", program: "python3" },
  // Built by Debian's Go 1.19.
  { language: "go", file: "receiver.go", program: "" }
] as const

const mebibyte = 1 << 20

/** Writes until it is answered or cut off, `atMost` so many bytes, and tells how many it wrote. */
const pour = (socket: Socket, atMost: number) =>
  new Promise<number>((resolve) => {
    let written = 0
    const more = () => {
      while (written < atMost && socket.writable) {
        written += mebibyte
        if (!socket.write(Buffer.alloc(mebibyte, "x"))) return
      }
    }
    socket.on("drain", more).on("error", () => undefined)
    socket.on("close", () => resolve(written)).on("data", () => socket.destroy())
    more()
  })

describe.for(languages.filter(({ language }) => has[language]))(
  "the example of a receiver in $language",
  ({ file, language, program }) => {
    let place: Installation
    let account: Account
    let room: string
    let url: string
    let child: ChildProcess | undefined
    let output = ""
    const command = () => (language === "go" ? join(room, "receiver") : program)
    const given = () => (language === "go" ? [] : [example(file)])
    const port = () => Number(new URL(url).port)
    const environment = () => ({
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      PORT: String(port())
    })
    const open = async (secret: string) => {
      child = spawn(command(), given(), {
        cwd: root,
        env: { ...environment(), WEBHOOK_SECRET: secret }
      })
      child.stdout?.setEncoding("utf8").on("data", (text: string) => (output += text))
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (output += text))
      await vi.waitFor(() => fetch(url, { method: "POST", body: "" }), { timeout: 60_000, interval: 20 })
    }
    beforeAll(async () => {
      room = mkdtempSync(join(tmpdir(), "livery-receiver-"))
      if (language === "go") {
        const built = spawnSync("go", ["build", "-o", "receiver", example(file)], {
          cwd: room,
          encoding: "utf8"
        })
        assert.strictEqual(built.status, 0, built.stderr)
      }
      url = `http://127.0.0.1:${await fixedPort()}/`
      place = await installation()
      account = await signUp(place, await place.serve())
    })
    afterAll(async () => {
      child?.kill("SIGKILL")
      rmSync(room, { recursive: true, force: true })
      await place.remove()
    })

    it("does not start without a secret, nor with an empty one", () => {
      for (const secret of [{}, { WEBHOOK_SECRET: "" }]) {
        const started = spawnSync(command(), given(), {
          cwd: root,
          env: { ...environment(), ...secret },
          encoding: "utf8",
          timeout: 60_000
        })
        assert.strictEqual(started.signal, null)
        assert.notStrictEqual(started.status, 0)
        assert.include(started.stderr, "WEBHOOK_SECRET")
      }
    })

    it("accepts what Livery sends, and refuses forged, stale and unsigned requests", async () => {
      const { client } = account
      const made = await client.post<CreatedEndpointRecord>("/webhooks", { url, events: ["trip.created"] })
      const { endpoint_id, secret } = made.body.data
      await open(secret)

      const sent = await client.post<Delivery>(`/webhooks/${endpoint_id}/test`, {
        event_type: "invoice.paid"
      })
      assert.strictEqual(sent.status, 201, sent.text)
      await vi.waitUntil(() => output.includes(`${sent.body.data.event_id} invoice.paid`), {
        timeout: 60_000
      })
      await vi.waitFor(
        async () => {
          const { body } = await client.get<ReadonlyArray<Delivery>>(`/webhooks/${endpoint_id}/deliveries`)
          assert.deepInclude(body.data[0], { status: "delivered", response_status: 204 })
        },
        { timeout: 60_000, interval: 20 }
      )

      const now = Math.floor(Date.now() / 1000)
      const body = JSON.stringify({ id: "evt_forged", type: "trip.created", data: "Zoë 🚗" })
      const signature = (key: string, t = now, of = body) =>
        createHmac("sha256", key).update(`${t}.${of}`).digest("hex")
      const post = async (header: string | undefined, of = body) => {
        const headers: Record<string, string> = header === undefined ? {} : { "X-Service-Signature": header }
        return (await fetch(url, { method: "POST", headers, body: of })).status
      }
      assert.strictEqual(await post(`t=${now},v1=${signature(secret)}`), 204)
      assert.strictEqual(await post(`t=${now},v1=${signature("old")},v1=${signature(secret)}`), 204)
      assert.strictEqual(await post(`t=${now},v1=${signature("whsec_other")}`), 400)
      assert.strictEqual(await post(`t=${now},v1=${signature(secret)}`, `${body} `), 400)
      assert.strictEqual(await post(`t=${now - 400},v1=${signature(secret, now - 400)}`), 400)
      assert.strictEqual(await post(`t=${now},v1=é${signature(secret)}`), 400)
      for (const nothing of ["", "t=1", `v1=${signature(secret)}`, "v1=,t=", undefined])
        assert.strictEqual(await post(nothing), 400, nothing)
    })

    it("survives aborted and malformed requests, and does not read an endless body", async () => {
      const begin = (headers: string) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port(), "127.0.0.1", () => {
            socket.write(`POST / HTTP/1.1\r\nHost: receiver\r\n${headers}\r\n\r\n`, () => resolve(socket))
          }).on("error", reject)
        })
      for (let time = 0; time < 5; time++) {
        const half = await begin("Content-Length: 1000")
        await new Promise((resolve) => half.write("{", resolve))
        half.resetAndDestroy()
      }
      for (const length of ["x", "-1"]) {
        const odd = await begin(`Content-Length: ${length}`)
        odd.resume().end()
        await new Promise((resolve) => odd.once("close", resolve))
      }
      const endless = await begin(`Content-Length: ${2 ** 40}`)
      assert.isBelow(await pour(endless, 256 * mebibyte), 256 * mebibyte)
      await vi.waitFor(
        async () => assert.strictEqual((await fetch(url, { method: "POST", body: "{}" })).status, 400),
        { timeout: 60_000, interval: 20 }
      )
      assert.isNull(child?.exitCode)
    })
  }
)

it.runIf(!has.go)("the receiver in Go bounds bodies and does not start without a secret", () => {
  for (const part of ["hmac.Equal(", "http.MaxBytesReader(", "len(secret) == 0", "log.Fatal("])
    assert.include(readFileSync(example("receiver.go"), "utf8"), part)
})
