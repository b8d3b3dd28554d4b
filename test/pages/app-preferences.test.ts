import { assert, it, vi } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"

interface Preferences {
  readonly language: string | null
  readonly theme: string
  readonly board: { readonly rows?: string; readonly isRolling?: boolean; readonly isMapClosed?: boolean }
}

describePages("what a person keeps of the office", () => {
  const desk = office()

  it("is a view: filters of the trips or of the board under a name, until it is deleted", async () => {
    const opened = await desk.open("/trips")
    const { page } = opened
    await titled(page, "Trips")
    await page.getByLabel("Status").selectOption("Confirmed")
    await page.getByRole("button", { name: "Save as a view" }).click()
    const dialog = page.getByRole("dialog", { name: "Save as a view" })
    await assertAccessible(page)
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.locator("[aria-invalid=true]").waitFor()
    await dialog.getByLabel("Name").fill("Firm ones")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    const views = page.getByRole("combobox", { name: "Views" })
    await views.waitFor()

    // A view is of its screen and of its person: another browser has it too.
    const other = await desk.open("/trips?payment_status=paid")
    const chosen = other.page.getByRole("combobox", { name: "Views" })
    await chosen.selectOption("Firm ones")
    await other.page.waitForURL(/\/app\/trips\?status=confirmed$/u)
    await assertAccessible(other.page)
    await other.page.getByRole("button", { name: "Delete this view" }).click()
    await chosen.waitFor({ state: "detached" })
    assert.deepStrictEqual((await desk.api.get("/me/views")).body.data, [])
    await other.page.keyboard.press("Control+z")
    await chosen.waitFor()

    await page.getByRole("link", { name: "Board" }).click()
    await titled(page, "Board")
    assert.strictEqual(await views.count(), 0)
    await page.getByLabel("Search the jobs").fill("airport")
    await page.getByRole("button", { name: "Save as a view" }).click()
    await dialog.getByLabel("Name").fill("Airport")
    await dialog.getByRole("button", { name: "Save" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.getByLabel("Search the jobs").fill("")
    await views.selectOption("Airport")
    await page.getByRole("button", { name: "Delete this view" }).waitFor()
    assert.strictEqual(await page.getByLabel("Search the jobs").inputValue(), "airport")
    assert.deepStrictEqual([...opened.faults, ...other.faults], [])
    await opened.close()
    await other.close()
  })

  it("is the language, the look and the layout of the board, in every browser", async () => {
    await desk.api.post("/drivers", { name: "Bruno Egger", confirm_seat: true })
    const opened = await desk.open("")
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.getByRole("combobox", { name: "Rows" }).selectOption("By car")
    await page.getByRole("button", { name: "Rolling" }).click()
    await page.getByText("Map", { exact: true }).click()
    await page.getByRole("combobox", { name: "Look" }).selectOption("Dark")
    await vi.waitFor(async () => {
      const { body } = await desk.api.get<Preferences>("/me/preferences")
      assert.deepStrictEqual(body.data.board, { rows: "car", isRolling: true, isMapClosed: true })
      assert.strictEqual(body.data.theme, "dark")
    }, 10_000)
    await page.getByLabel("Language").selectOption("Deutsch")
    await titled(page, "Plantafel")

    const other = await desk.open("")
    await titled(other.page, "Plantafel")
    await other.page.setViewportSize({ width: 1440, height: 900 })
    const rows = other.page.locator("select").filter({ hasText: "Nach Fahrzeug" })
    await vi.waitFor(async () => assert.strictEqual(await rows.inputValue(), "car"))
    await other.page.getByRole("button", { name: "Mitlaufend", pressed: true }).waitFor()
    await other.page.locator("details:not([open])").getByText("Karte", { exact: true }).waitFor()
    assert.include(await other.page.locator("html").getAttribute("style"), "dark")
    await assertAccessible(other.page)
    assert.deepStrictEqual([...opened.faults, ...other.faults], [])
    await opened.close()
    await other.close()
  })
})
