import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { deflateSync } from "node:zlib"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { bearer, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const crcOf = (bytes: Buffer) => {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}

const chunk = (name: string, data: Buffer) => {
  const content = Buffer.concat([Buffer.from(name), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(crcOf(content))
  return Buffer.concat([length, content, crc])
}

/** An image of 256 by 256 pixels in one colour. */
const tile = (() => {
  const head = Buffer.from([0, 0, 1, 0, 0, 0, 1, 0, 8, 2, 0, 0, 0])
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(256 * 3, 0xc8)])
  const rows = Buffer.concat(Array.from({ length: 256 }, () => row))
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
})()

/** A server of a map: its style, and its tiles. */
const startMaps = async (asked: Array<string>, isBroken: () => boolean) => {
  const maps = createServer((request, response) => {
    asked.push(request.url ?? "")
    const cors = { "access-control-allow-origin": "*" }
    if (isBroken()) return response.writeHead(500, cors).end()
    if (request.url !== "/style.json")
      return response.writeHead(200, { ...cors, "content-type": "image/png" }).end(tile)
    const origin = `http://${request.headers.host ?? ""}`
    return response.writeHead(200, { ...cors, "content-type": "application/json" }).end(
      JSON.stringify({
        version: 8,
        sources: {
          streets: {
            type: "raster",
            tiles: [`${origin}/tiles/{z}/{x}/{y}.png`],
            tileSize: 256,
            attribution: `<a href="https://www.openstreetmap.org/copyright">&copy; OpenStreetMap</a>`
          }
        },
        layers: [{ id: "streets", type: "raster", source: "streets" }]
      })
    )
  })
  await new Promise<void>((resolve) => maps.listen(0, "127.0.0.1", resolve))
  return maps
}

describePages("the map of the tracking page in the operator's style", () => {
  let place: Installation
  let server: Server
  let maps: HttpServer
  let token: string
  let moveCar: (lat: number, lng: number) => Promise<unknown>
  const asked: Array<string> = []
  let isBroken = false

  beforeAll(async () => {
    maps = await startMaps(asked, () => isBroken)
    place = await installation({ embedded: "copied" })
    server = await place.serve([], {
      MAP_STYLE_URL: `http://127.0.0.1:${(maps.address() as AddressInfo).port}/style.json`
    })
    const api = clientOf(server.api, bearer(/lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"))
    const driver = await api.post<{ driver_id: number }>("/drivers", { name: "Josephine Baker" })
    const trip = await api.post<{ trip_id: number }>("/trips", {
      trip_date: new Date(Date.now() + 3_600_000).toISOString(),
      pickup_address: "Here",
      dropoff_address: "There",
      pickup_lat: 47.4503,
      pickup_lng: 8.5616,
      dropoff_lat: 47.3667,
      dropoff_lng: 8.545,
      customer_name: "Ada Lovelace"
    })
    const tripId = trip.body.data.trip_id
    const { body } = await api.post<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${tripId}/drivers`,
      { driver_ids: [driver.body.data.driver_id] }
    )
    const driverToken = body.data.drivers[0]?.driver_token ?? ""
    await api.post(`/driver/status?token=${driverToken}`, { status: "en_route" })
    moveCar = (lat, lng) => api.post(`/driver/location?token=${driverToken}`, { lat, lng, heading: 20 })
    await moveCar(47.41, 8.54)
    token = (await api.post<{ token: string }>(`/trips/${tripId}/tracking-link`)).body.data.token
  })
  afterAll(async () => {
    await place.remove()
    maps.close()
  })

  it("shows its tiles, the places and the names of those who made it, under the policy of the page", async () => {
    const { close, faults, page } = await openPage(`${server.address}/track#${token}`)
    await page.getByText("© OpenStreetMap").waitFor()
    assert.strictEqual(await page.locator(".mark.car").count(), 1)
    assert.strictEqual(await page.locator(".mark").count(), 3)
    assert.strictEqual(await page.locator("svg.map").count(), 0)
    assert.isTrue(asked.some((path) => path.startsWith("/tiles/")))
    await assertAccessible(page)
    await takePictures(page, "track-street", (it) => it.getByText("© OpenStreetMap").waitFor())
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("stays where the reader moved it while the car drives on, until the reader asks for the whole ride", async () => {
    const { close, faults, page } = await openPage(`${server.address}/track#${token}`)
    await page.getByText("© OpenStreetMap").waitFor()
    const placeOf = async (name: string) =>
      (await page.locator(`.mark.${name}`).boundingBox())?.x ?? Number.NaN
    const wholeRide = page.getByRole("button", { name: "Show the whole ride" })
    const fitted = await placeOf("pickup")
    await moveCar(47.42, 8.52)
    await expect.poll(() => placeOf("pickup")).not.toBe(fitted)
    assert.strictEqual(await wholeRide.count(), 0)

    const map = await page.locator(".street .canvas").boundingBox()
    const [x, y] = [(map?.x ?? 0) + 60, (map?.y ?? 0) + 200]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 30, y, { steps: 3 })
    await page.waitForTimeout(300)
    await page.mouse.up()
    await wholeRide.waitFor({ timeout: 5000 })
    const [moved, car] = [await placeOf("pickup"), await placeOf("car")]
    await moveCar(47.43, 8.5)
    await expect.poll(() => placeOf("car")).not.toBe(car)
    assert.strictEqual(await placeOf("pickup"), moved)
    await assertAccessible(page)

    await wholeRide.click()
    await expect.poll(() => placeOf("pickup")).not.toBe(moved)
    assert.strictEqual(await wholeRide.count(), 0)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("is the schematic one while the style cannot be loaded", async () => {
    isBroken = true
    const { close, page } = await openPage(`${server.address}/track#${token}`)
    await page.locator("svg.map").waitFor()
    await page.waitForTimeout(1000)
    assert.strictEqual(await page.locator("svg.map").count(), 1)
    assert.strictEqual(await page.locator(".street").count(), 0)
    await assertAccessible(page)
    await close()
    isBroken = false
  })
})
