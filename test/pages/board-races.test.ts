import { assert, it, vi } from "vitest"
import { extent } from "../faults/support/Extent.ts"
import { boardOffice, type Trip } from "./support/Board.ts"
import { describePages, type OpenPage } from "./support/Browser.ts"
import { tunnelTo } from "./support/Tunnel.ts"

describePages("two desks at the dispatch board", () => {
  const office = boardOffice(extent({ drivers: 60, jobs: 320 }, { drivers: 20, jobs: 96 }))
  const { board, create, date, goTo, open } = office

  it("shows each of two assignments that race for a driver as refused, but the first", async () => {
    const rounds = extent(50, 4)
    const jobs = await Promise.all(
      Array.from({ length: 2 }, (_, index) =>
        create<Trip>("/trips", {
          trip_date: `${date}T04:0${index}:00`,
          pickup_address: "Bellevue",
          dropoff_address: "Airport",
          customer_name: `Race ${index}`
        })
      )
    )
    const { driver_id } = await create<{ driver_id: number }>("/drivers", {
      name: "Zoe Race",
      confirm_seat: true
    })
    const desks = await Promise.all([open(), open()])
    let refused = 0
    for (const round of Array.from({ length: rounds }, (_, index) => index)) {
      await Promise.all(desks.map(({ page }, index) => goTo(page, jobs[index]?.trip_id ?? 0)))
      await Promise.all(
        desks.map(async ({ page }) => {
          await page.keyboard.press("a")
          await page.getByRole("combobox", { name: "Driver’s name" }).waitFor()
          await page.keyboard.type("zoe")
          await page.getByText("Nothing stands against it.").waitFor()
        })
      )
      await Promise.all(desks.map(({ page }) => page.keyboard.press("Enter")))
      const shown = await Promise.all(
        desks.map(async ({ page }) => {
          const dialog = page.getByRole("dialog")
          await Promise.race([
            dialog.waitFor({ state: "detached" }),
            dialog.getByText(/Zoe Race has another job/u).waitFor()
          ])
          return dialog.isVisible()
        })
      )
      assert.strictEqual(shown.filter((isOpen) => isOpen).length, 1, `round ${round}`)
      const loser = desks[shown.indexOf(true)]?.page
      await loser
        ?.getByRole("dialog")
        .getByText(/Zoe Race has another job/u)
        .waitFor()
      refused++
      await loser?.keyboard.press("Escape")
      await office.api.post(
        "/dispatch/assignments",
        jobs.map(({ trip_id }) => ({ trip_id, driver_ids: [] }))
      )
      await Promise.all(
        desks.map(({ page }) =>
          page.getByRole("complementary", { name: "Selected job" }).getByText("Nobody yet").waitFor()
        )
      )
    }
    assert.strictEqual(refused, rounds)
    assert.isAbove(driver_id, 0)
    for (const { close, faults } of desks) {
      assert.deepStrictEqual(faults, [])
      await close()
    }
  })

  it("stays equal in two browsers through changes and a lost connection", async () => {
    const changes = extent(1000, 30)
    const tunnel = await tunnelTo(office.server.address)
    const near = await open(`${board}&view=list`)
    const far = await open(`${board}&view=list`, { base: tunnel.address })
    const textOf = ({ page }: OpenPage) => page.getByRole("list", { name: "Jobs" }).innerText()
    const change = async (index: number) => {
      const trip_id = office.day.trips[(index * 7) % office.day.trips.length] ?? 0
      const driver = office.day.drivers[(index * 11) % office.day.drivers.length]
      if (index % 3 === 0)
        await office.api.post("/dispatch/assignments", [{ trip_id, driver_ids: [driver], force: true }])
      else if (index % 3 === 1)
        await office.api.patch(`/trips/${trip_id}`, { pickup_address: `Gate ${index}`, force: true })
      else await office.api.patch(`/trips/${trip_id}`, { customer_name: `Changed ${index}`, force: true })
    }
    for (const index of Array.from({ length: changes }, (_, at) => at)) {
      if (index === Math.floor(changes / 3)) tunnel.set("cut")
      if (index === Math.floor((2 * changes) / 3)) tunnel.set("open")
      await change(index)
    }
    await vi.waitFor(
      async () => {
        const [one, other] = await Promise.all([textOf(near), textOf(far)])
        assert.include(one, `Changed ${changes - 1 - ((changes - 1 - 2) % 3)}`)
        assert.strictEqual(one, other)
      },
      { timeout: 60_000, interval: 500 }
    )
    await near.close()
    await far.close()
    await tunnel.close()
  })
})
