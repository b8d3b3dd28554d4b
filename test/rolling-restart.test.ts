import { setTimeout } from "node:timers/promises"
import { assert, it, vi } from "vitest"
import { signUp } from "./support/Account.ts"
import { bearer } from "./support/Client.ts"
import { installation } from "./support/Installation.ts"
import { fixedPort } from "./support/FixedPort.ts"
import { nginx, nginxIsThere } from "./support/Nginx.ts"
import type { Server } from "./support/Server.ts"

/** How many clients ask at once. */
const clients = 4

/** nginx sends requests to a server that refused one again after 2 s. */
const untilUsedAgain = 120_000

const requestsOf = async ({ address }: Server) => {
  const text = await (await fetch(`${address}/metrics`)).text()
  const counts = text.matchAll(/^livery_http_requests_total\{[^}]*ping[^}]*\} (?<count>\d+)$/gmu)
  return [...counts].reduce((sum, { groups }) => sum + Number(groups?.["count"]), 0)
}

it.skipIf(!nginxIsThere)(
  `no request fails while two nodes behind nginx restart in turn${nginxIsThere ? "" : " (nginx is not installed)"}`,
  async () => {
    const place = await installation()
    const ports = [await fixedPort(), await fixedPort()]
    const start = (port: number) => place.serve([], { PORT: String(port), SHUTDOWN_GRACE: "2" })
    const nodes = await Promise.all(ports.map(start))
    const proxy = await nginx(ports)
    const load = { isOn: true, answered: 0, failures: new Array<string>() }
    try {
      const account = await signUp(place, nodes[0] ?? assert.fail("no server"))
      const client = async () => {
        while (load.isOn)
          try {
            const response = await fetch(`${proxy.address}/api/v1/ping`, { headers: bearer(account.apiKey) })
            const text = await response.text()
            if (response.status === 200) load.answered += 1
            else load.failures.push(`${response.status} ${text}`)
          } catch (cause) {
            load.failures.push(String(cause))
          } finally {
            // Leaves the processors to the tests beside this one.
            await setTimeout(5)
          }
      }
      const running = Array.from({ length: clients }, client)
      for (const [index, port] of ports.entries()) {
        const before = load.answered
        const stopped = (nodes[index] ?? assert.fail("no server")).stop()
        assert.deepInclude(await stopped, { code: 0, signal: null })
        const node = await start(port)
        await vi.waitUntil(async () => (await requestsOf(node)) > 0, {
          timeout: untilUsedAgain,
          interval: 50
        })
        assert.isAbove(load.answered, before)
      }
      load.isOn = false
      await Promise.all(running)
      assert.deepStrictEqual(load.failures, [])
    } finally {
      load.isOn = false
      await proxy.stop()
      await place.remove()
    }
  },
  300_000
)
