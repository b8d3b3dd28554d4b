import { assert, it } from "vitest"
import { bookingPage, button, enterContact, enterRide, field, shown } from "./support/Booking.ts"
import { assertAccessible, describePages } from "./support/Browser.ts"

describePages("a booking whose answer was lost", () => {
  const booking = bookingPage()

  it("books once if the answer of the first click was lost", async () => {
    const { close, page } = await booking.open()
    await enterRide(page)
    await enterContact(page, "Grace Hopper")
    await page.route(
      "**/trips",
      async (route) => {
        await route.fetch()
        await route.abort()
      },
      { times: 1 }
    )
    await button(page, /Book for/u).click()
    await shown(page, /No connection\..* It is not known whether it is booked\./u)
    // What is sent again is what was sent before.
    assert.strictEqual(await page.locator("[inert]").getByLabel("Name", { exact: true }).count(), 1)
    await button(page, "Try again").click()
    await shown(page, "Your ride is booked")
    assert.strictEqual((await booking.tripsOf("Grace Hopper")).length, 1)
    await close()
  })

  it("learns after a reload what became of a booking whose answer was lost, and books it once", async () => {
    const { close, page } = await booking.open()
    await enterRide(page)
    await enterContact(page, "Mary Anning")
    const keys: Array<string | undefined> = []
    await page.route("**/trips", async (route) => {
      keys.push(route.request().headers()["idempotency-key"])
      if (keys.length > 1) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await button(page, /Book for/u).click()
    await shown(page, "It is not known whether it is booked.")
    await page.reload()
    await shown(page, "Your ride is booked")
    assert.deepStrictEqual(keys, [keys[0], keys[0]])
    assert.strictEqual((await booking.tripsOf("Mary Anning")).length, 1)
    await close()
  })

  it("says that the way back could not be booked, and books each way once after a lost answer", async () => {
    const ride = async (name: string) => {
      const opened = await booking.open()
      await enterRide(opened.page)
      await opened.page.getByLabel("With the way back").check()
      await field(opened.page, "Date of the way back").fill("2031-05-22")
      await field(opened.page, "Time of the way back").fill("18:00")
      await enterContact(opened.page, name)
      await button(opened.page, /Book for/u).waitFor()
      return opened
    }
    const lost = await ride("Hedy Lamarr")
    let requests = 0
    await lost.page.route("**/trips", async (route) => {
      requests += 1
      if (requests !== 2) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await button(lost.page, /Book for/u).click()
    await shown(lost.page, "Your ride is booked")
    assert.deepStrictEqual([requests, (await booking.tripsOf("Hedy Lamarr")).length], [3, 2])
    assert.strictEqual(await lost.page.getByText("could not be booked").count(), 0)
    await lost.close()

    const unknown = await ride("Cecilia Payne")
    await unknown.page.route("**/trips", async (route) =>
      (await booking.tripsOf("Cecilia Payne")).length === 0
        ? route.continue()
        : route.fulfill({ status: 503, json: {} })
    )
    await button(unknown.page, /Book for/u).click()
    await shown(unknown.page, "Way back: It is not known whether it is booked.")
    await assertAccessible(unknown.page)
    await unknown.page.unrouteAll({ behavior: "wait" })
    await button(unknown.page, "Try again").click()
    await unknown.page.locator("dl").nth(1).waitFor()
    assert.strictEqual((await booking.tripsOf("Cecilia Payne")).length, 2)
    await unknown.close()

    const refused = await ride("Lise Meitner")
    await refused.page.route("**/trips", async (route) =>
      (await booking.tripsOf("Lise Meitner")).length === 0
        ? route.continue()
        : route.fulfill({ status: 409, json: { error: { type: "conflict", message: "too old" } } })
    )
    await button(refused.page, /Book for/u).click()
    await shown(refused.page, "The way back could not be booked.")
    await assertAccessible(refused.page)
    assert.strictEqual((await booking.tripsOf("Lise Meitner")).length, 1)
    await refused.page.unrouteAll({ behavior: "wait" })
    await button(refused.page, "Book the way back").click()
    assert.strictEqual(await field(refused.page, "Date").inputValue(), "2031-05-22")
    await refused.close()
  })
})
