import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Stored {
  readonly version: number
  readonly classes: ReadonlyArray<{
    readonly fixed: ReadonlyArray<{ readonly amount: number }>
    readonly distance: ReadonlyArray<{ readonly base: number }>
  }>
}

describePages("the tariffs of the office", () => {
  const own = office()

  it("begins a tariff by keyboard, says at the field what is wrong, and changes a price in place", async () => {
    const opened = await own.open("/tariffs")
    const { page } = opened
    await titled(page, "Tariffs")
    await page.getByText("Add your first tariff.").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("n")
    await titled(page, "New tariff")
    await page.getByLabel("Name").fill("Country")
    await page.getByLabel("Base").fill("much")
    await page.getByLabel("Per km").fill("2.5")
    await page.keyboard.press("Enter")
    await page.getByText("Please check this value.").waitFor()
    assert.strictEqual(await page.getByLabel("Base").inputValue(), "much")
    await assertAccessible(page)
    await page.getByLabel("Base").fill("20")
    await page.keyboard.press("Enter")
    await titled(page, "Country")
    await page.getByText("CHF 2.50").waitFor()
    await assertAccessible(page)
    await page.getByRole("button", { name: "Edit Sedan" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Base").fill("-1")
    await page.keyboard.press("Enter")
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Base").inputValue(), "-1")
    await assertAccessible(page)
    await page.getByLabel("Base").fill("25")
    await page.keyboard.press("Enter")
    await page.getByText("CHF 25.00").waitFor()
    await page.getByRole("link", { name: "Version 1" }).waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows the lines of a trial estimate, the wrong lines of a price list, and the wrong paths of the text", async () => {
    const { body } = await own.api.post<{ readonly tariff_id: number }>("/tariffs", {
      name: "City",
      currency: "CHF",
      zones: [
        {
          id: "zrh",
          name: "Airport",
          kind: "airport",
          airport: "ZRH",
          lat: 47.45,
          lng: 8.56,
          radius_m: 3000
        },
        { id: "city", name: "Old town", kind: "postal", prefixes: ["80"] }
      ],
      classes: [{ vehicle_class: "sedan", fixed: [{ from: "zrh", to: "city", amount: 90 }] }],
      modifiers: { meet_and_greet: [{ amount: 15 }] }
    })
    const id = body.data.tariff_id
    const opened = await own.open(`/tariffs/${id}`)
    const { page } = opened
    await titled(page, "City")
    await page.getByText("Airport ↔ Old town").waitFor()
    const trial = page.locator("section", { has: page.getByRole("heading", { name: "Trial estimate" }) })
    await trial.getByLabel("Distance in metres").fill("far")
    await trial.getByRole("button", { name: "Estimate" }).click()
    await trial.getByRole("alert").waitFor()
    await assertAccessible(page)
    await trial.getByLabel("Distance in metres").fill("")
    await trial.getByRole("combobox", { name: "From" }).pressSequentially("air")
    await page.getByRole("listbox").getByRole("option", { name: "Airport" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await trial.getByRole("combobox", { name: "To", exact: true }).fill("8001")
    await trial.getByLabel("Meet and greet").selectOption("Yes")
    await trial.getByRole("button", { name: "Estimate" }).click()
    await trial.getByText("Sedan: CHF 105.00").waitFor()
    await assertAccessible(page)
    await takePictures(page, "tariff", (it) => it.getByText("Airport ↔ Old town").waitFor())
    await page.getByLabel("Text of the list").fill("from,to,sedan\nAirport,Old town,95\nAirport,Nowhere,50")
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("Airport,Nowhere,50", { exact: true }).waitFor()
    await assertAccessible(page)
    await page.getByLabel("Text of the list").fill("from,to,sedan\nAirport,Old town,95")
    await page.getByRole("button", { name: "Import" }).click()
    await page.getByText("CHF 95.00").waitFor()
    await page.locator("summary").click()
    const text = page.getByLabel("The whole tariff as JSON text")
    const good = await text.inputValue()
    await text.fill(good.replace('"amount": 95', '"amount": "free"'))
    const save = page.locator("details").getByRole("button", { name: "Save" })
    await save.click()
    await page.getByText("classes.0.fixed.0.amount").waitFor()
    assert.include(await text.inputValue(), '"free"')
    await assertAccessible(page)
    await text.fill(good.replace('"amount": 95', '"amount": 97'))
    await save.click()
    await page.getByText("CHF 97.00").waitFor()
    const stored = await own.api.get<Stored>(`/tariffs/${id}`)
    assert.strictEqual(stored.body.data.classes[0]?.fixed[0]?.amount, 97)
    assert.strictEqual(stored.body.data.version, 3)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
