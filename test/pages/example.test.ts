import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { type Account, signUp, trip } from "../support/Account.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { livery } from "@livery/client"
import { describePages, openPage } from "./support/Browser.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const root = join(import.meta.dirname, "../..")

describePages("the example tracking.html", () => {
  let place: Installation
  let server: Server
  let account: Account
  beforeAll(async () => {
    place = await installation()
    server = await place.serve()
    account = await signUp(place, server)
  })
  afterAll(() => place.remove())

  /** Opens the example as a file of the server, with the built client beside it. */
  const open = async (token: string) => {
    const opened = await openPage("about:blank")
    await opened.page.route(/\/tracking\.html/u, (route) =>
      route.fulfill({ contentType: "text/html", body: readFileSync(join(root, "examples/tracking.html")) })
    )
    await opened.page.route(/\/client\/[\w/]+\.js$/u, (route) => {
      const file = new URL(route.request().url()).pathname.replace("/client/", "packages/client/dist/")
      return route.fulfill({ contentType: "text/javascript", body: readFileSync(join(root, file)) })
    })
    await opened.page.goto(`${server.address}/tracking.html?api=${server.api}#${token}`)
    return opened
  }

  it("shows the position of the driver as it changes, and that a deleted link has ended", async () => {
    const client = livery({ baseUrl: server.api, apiKey: account.apiKey })
    const { driver_id } = await client.drivers.create({ name: "Grace Hopper" })
    const { trip_id: id } = await client.trips.create(trip())
    const { drivers } = await client.trips.assign({ id, driver_ids: [driver_id] })
    const driver = livery({ baseUrl: server.api, driverToken: drivers[0]?.driver_token ?? "" })
    const { token } = await client.tracking.share({ id })
    const { close, faults, page } = await open(token)
    await page.getByText("assigned").waitFor()
    await driver.driverToken.status({ status: "en_route" })
    await driver.driverToken.location({ lat: 47.45, lng: 8.56 })
    await page.getByText("en route").waitFor()
    await page.getByText("47.45, 8.56").waitFor()
    await close()
    await client.tracking.unshare({ id })
    const ended = await open(token)
    await ended.page.getByText("This link has ended").waitFor()
    assert.deepStrictEqual([...faults, ...ended.faults], [])
    await ended.close()
  })
})
