import { assert, expect, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the records of the office", () => {
  const own = office()

  it("adds a customer by keyboard, says at the field what is wrong, changes it in place, and undoes the change", async () => {
    const opened = await own.open("/customers")
    const { page } = opened
    await titled(page, "Customers")
    await page.getByText("Nothing here yet").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("n")
    await titled(page, "New customer")
    await page.getByLabel("Name").fill("Grace Hopper")
    await page.getByLabel("Email").fill("not an address")
    await page.keyboard.press("Enter")
    await page.getByText("Please check this value.").waitFor()
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "Grace Hopper")
    await assertAccessible(page)
    await page.getByLabel("Email").fill("grace@navy.example")
    await page.keyboard.press("Enter")
    await titled(page, "Grace Hopper")
    await page.getByText("This customer has no trips.").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-customer", (it) => it.locator(".record").first().waitFor())
    await page.getByRole("button", { name: "Edit Details" }).click()
    await page.getByLabel("Company").fill("Navy")
    await page.keyboard.press("Enter")
    await page.getByText("Saved").waitFor()
    await page.keyboard.press("Control+z")
    await page.getByText("Undone: Saved").waitFor()
    // In a field, the key takes back what was typed, and no change that was saved.
    await page.getByRole("button", { name: "Edit Details" }).click()
    await page.getByLabel("Company").fill("Army")
    await page.keyboard.press("Enter")
    await page.getByText("Army", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Edit Details" }).click()
    await page.getByLabel("Company").focus()
    await page.keyboard.type("!")
    await page.keyboard.press("Control+z")
    await expect.poll(() => page.getByLabel("Company").inputValue()).toBe("Army")
    await page.getByRole("button", { name: "Cancel" }).click()
    await page.keyboard.press("Control+z")
    await page.getByText("Undone: Saved").waitFor()
    const { body } = await own.api.get<ReadonlyArray<{ company: string | null }>>("/customers")
    assert.deepStrictEqual(
      body.data.map(({ company }) => company),
      [null]
    )
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("shows the absences of a driver as a calendar, and what the driver is paid", async () => {
    await own.api.post("/cars", { name: "S-Class 3", plate_number: "ZH 3", vehicle_class: "sedan" })
    const driver = await own.api.post<{ driver_id: number }>("/drivers", {
      name: "Josephine Baker",
      license_expires_on: "2020-01-01"
    })
    const id = driver.body.data.driver_id
    // The styles of the board, once loaded, do not change those of the other screens.
    const opened = await own.open("")
    const { page } = opened
    await page.getByRole("link", { name: "Drivers" }).click()
    await page.getByRole("link", { name: "Josephine Baker" }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-drivers", (it) => it.getByText("Josephine").waitFor())
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await titled(page, "Josephine Baker")
    await page.getByRole("button", { name: "New absence" }).click()
    await assertAccessible(page)
    await page.getByLabel("Kind").selectOption("Holiday")
    await page.getByRole("button", { name: "Add", exact: true }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Remove" }).waitFor()
    const days = await page.locator(".month td").evaluateAll((cells) => cells.map((it) => it.offsetHeight))
    assert.isAtMost(
      Math.max(...days),
      2 * Math.min(...days),
      "A day of the absence is a cell like the others"
    )
    await page.getByRole("button", { name: "New scheme" }).click()
    await page.getByLabel("Name").fill("Standard")
    await page.getByLabel("Share of the fare in %").fill("40")
    await page.getByLabel("Per hour").fill("a lot")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Please check this value.").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Per hour").fill("")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("40%").waitFor()
    await assertAccessible(page)
    await takePictures(page, "app-driver", (it) => it.locator(".month").waitFor())
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByText("Absence removed").waitFor()
    const { body } = await own.api.get<ReadonlyArray<unknown>>(`/drivers/${id}/absences`)
    assert.lengthOf(body.data, 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("deletes a car that trips have only after a second question", async () => {
    const car = await own.api.post<{ car_id: number }>("/cars", { name: "V-Class 1" })
    const { car_id } = car.body.data
    const trip = await own.api.post("/trips", {
      trip_date: new Date(Date.now() + 86_400_000).toISOString(),
      pickup_address: "Bellevue",
      dropoff_address: "Airport",
      customer_name: "Ada",
      car_id
    })
    assert.strictEqual(trip.status, 201, trip.text)
    const opened = await own.open(`/cars/${car_id}`)
    const { page } = opened
    await titled(page, "V-Class 1")
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click()
    await page.getByRole("button", { name: "Delete anyway" }).waitFor()
    await assertAccessible(page)
    await page.getByRole("button", { name: "Delete anyway" }).click()
    await titled(page, "Cars")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
