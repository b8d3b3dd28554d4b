import type { Page } from "playwright-core"
import { assert, it, vi } from "vitest"
import { boardOffice, ready } from "./support/Board.ts"
import { describePages } from "./support/Browser.ts"

const isBoard = (url: string) => url.includes("/dispatch/trips?")

/** Loads the page again, and collects the status of each answer with the board. */
const reloaded = async (page: Page) => {
  const answers: Array<number> = []
  page.on("response", (response) => {
    if (isBoard(response.url())) answers.push(response.status())
  })
  await page.reload()
  await ready(page)
  return answers
}

describePages("the opening board", () => {
  const office = boardOffice({ drivers: 4, jobs: 8 })

  it("reads its day once: what it asks again after its stream began is answered without the jobs", async () => {
    const { close, page } = await office.open()
    const answers = await reloaded(page)
    await vi.waitFor(() => assert.deepStrictEqual(answers, [200, 304]), 10_000)
    await close()
  })

  it("begins to read its day before its code has come", async () => {
    const { close, page } = await office.open()
    const asked = page.waitForRequest((request) => isBoard(request.url()))
    await page.route(/\/assets\/board-[\w-]+\.js$/u, async (route) => {
      await asked
      await route.continue()
    })
    const answers = await reloaded(page)
    assert.include(answers, 200)
    await close()
  })

  it("shows a job that was changed after its first reading and before its stream began", async () => {
    const { close, page } = await office.open()
    const [id = 0] = office.day.trips
    let isChanged: () => void = () => {}
    const changed = new Promise<void>((resolve) => {
      isChanged = resolve
    })
    await page.route("**/dispatch/stream?*", async (route) => {
      await changed
      await route.continue()
    })
    await page.route(
      "**/dispatch/trips?*",
      async (route) => {
        const response = await route.fetch()
        await office.api.patch(`/trips/${id}`, { pickup_address: "Botanical garden" })
        isChanged()
        await route.fulfill({ response })
      },
      { times: 1 }
    )
    await reloaded(page)
    const changedJob = page.getByText(/^Botanical garden/u).first()
    await changedJob.waitFor()
    assert.isTrue(await changedJob.isVisible())
    await close()
  })

  it("stays where a person scrolled it while another job changes", async () => {
    const { close, page } = await office.open()
    await office.goTo(page, office.day.trips[0] ?? 0)
    const left = "document.querySelector('.timeline').scrollLeft"
    await page.evaluate(`${left} = 900`)
    await office.create("/trips", {
      trip_date: `${office.date}T12:00:00`,
      pickup_address: "Harbour, quay 4",
      dropoff_address: "Opera House",
      customer_name: "Grace Hopper"
    })
    await page.getByRole("button", { name: "Unassigned 1", exact: true }).waitFor()
    assert.strictEqual(await page.evaluate(left), 900)
    await close()
  })
})
