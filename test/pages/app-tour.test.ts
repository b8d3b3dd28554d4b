import { assert, it, vi } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { createDay } from "./support/Day.ts"
import { office } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the tour of the board", () => {
  const desk = office()

  const kept = async () =>
    (await desk.api.get<{ readonly board: { readonly tour?: unknown } }>("/me/preferences")).body.data.board
      .tour

  it("has five steps, which the keyboard goes through; each step and its end stay in the account", async () => {
    const date = new Intl.DateTimeFormat("sv", { timeZone: "Europe/Zurich", dateStyle: "short" }).format()
    await createDay(
      async <A>(path: string, body: unknown) => (await desk.api.post<A>(path, body)).body.data,
      {
        date,
        drivers: 2,
        jobs: 24,
        openEvery: 4
      }
    )
    const opened = await desk.open("")
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    const tour = page.getByRole("dialog", { name: /./u })
    await page.locator("[data-trip]").first().waitFor()
    assert.strictEqual(await tour.count(), 0)
    await page.keyboard.press("i")
    await page.getByRole("dialog", { name: "Jobs without a driver wait here" }).waitFor()
    await page.locator(".lane[data-toured]").waitFor()
    await assertAccessible(page)

    for (const title of [
      "Each driver has a row",
      "The numbers say what needs you",
      "Everything about the selected job"
    ]) {
      await page.keyboard.press("Enter")
      await page.getByRole("dialog", { name: title }).waitFor()
      await assertAccessible(page)
      assert.strictEqual(await page.locator("[data-toured]").count(), 1)
    }
    await page.getByRole("button", { name: "Back" }).click()
    await page.getByRole("dialog", { name: "The numbers say what needs you" }).waitFor()
    await vi.waitFor(async () => assert.strictEqual(await kept(), 3), 10_000)

    // The next browser goes on where this one was, also on a narrow display and in German.
    const other = await desk.open("?lang=de")
    await other.page.setViewportSize({ width: 360, height: 800 })
    await other.page.getByRole("dialog", { name: "Die Zahlen sagen, was zu tun ist" }).waitFor()
    await assertAccessible(other.page)
    await other.page.keyboard.press("Enter")
    await other.page.keyboard.press("Enter")
    await other.page.getByRole("dialog", { name: "Das übrige Büro" }).waitFor()
    await assertAccessible(other.page)
    await other.page.getByRole("button", { name: "Rundgang beenden" }).click()
    await other.page.getByRole("dialog").waitFor({ state: "detached" })
    await vi.waitFor(async () => assert.strictEqual(await kept(), "over"), 10_000)

    await page.reload()
    await page.locator("[data-trip]").first().waitFor()
    assert.strictEqual(await tour.count(), 0)
    await page.keyboard.press("i")
    await tour.waitFor()
    await takePictures(page, "tour", () => tour.waitFor())
    await page.setViewportSize({ width: 1440, height: 900 })
    await tour.getByRole("button", { name: "Next" }).focus()
    await page.keyboard.press("Escape")
    await tour.waitFor({ state: "detached" })
    assert.strictEqual(await page.locator("[data-toured]").count(), 0)
    assert.deepStrictEqual([...opened.faults, ...other.faults], [])
    await opened.close()
    await other.close()
  })
})
