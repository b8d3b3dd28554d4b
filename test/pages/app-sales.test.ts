import { assert, it } from "vitest"
import { assertAccessible, describePages } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

interface Sold {
  readonly status: string
  readonly total_amount: number | null
  readonly trip_ids: ReadonlyArray<number>
}

describePages("the sales of the office", () => {
  const own = office()

  it("builds a quote by keyboard, keeps what was typed when it is refused, prices it by the tariff, sends it, and books its trips", async () => {
    await own.api.post("/customers", { name: "Grace Hopper", email: "grace@navy.example" })
    const tariff = await own.api.post("/tariffs", {
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
        { id: "city", name: "Old town", kind: "circle", lat: 47.37, lng: 8.54, radius_m: 3000 }
      ],
      classes: [{ vehicle_class: "sedan", fixed: [{ from: "zrh", to: "city", amount: 90 }] }]
    })
    assert.strictEqual(tariff.status, 201, tariff.text)
    const opened = await own.open("/sales")
    const { page } = opened
    await titled(page, "Quotes")
    await page.getByText("Write your first offer.").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("n")
    await titled(page, "New quote")
    await assertAccessible(page)
    await page.getByRole("button", { name: "Add a line without a trip" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Description").nth(1).fill("Champagne")
    await page.getByLabel("Amount").nth(1).fill("a lot")
    await page.getByRole("button", { name: "Create" }).focus()
    await page.keyboard.press("Enter")
    await page.getByText("Please check the marked fields.").waitFor()
    assert.isAtLeast(await page.getByText("Please fill in this field.").count(), 3)
    assert.strictEqual(await page.getByLabel("Amount").nth(1).inputValue(), "a lot")
    await assertAccessible(page)
    await takePictures(page, "sales-quote-new", (it) => it.getByRole("heading", { level: 1 }).waitFor())
    await page.getByLabel("Description").nth(1).fill("Champagne")
    await page.getByLabel("Amount").nth(1).fill("40")
    await page.getByRole("combobox", { name: "Name" }).pressSequentially("gra")
    await page.getByRole("option", { name: "Grace Hopper" }).waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByLabel("Description").nth(0).fill("From the airport to the hotel")
    await page.getByRole("combobox", { name: "From" }).pressSequentially("air")
    await page.getByRole("option", { name: "Airport" }).first().waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByRole("combobox", { name: "To", exact: true }).pressSequentially("old")
    await page.getByRole("option", { name: "Old town" }).first().waitFor()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await page.getByLabel("Amount").nth(1).focus()
    await page.keyboard.press("Enter")
    await page.getByText("Not priced yet").waitFor()
    await assertAccessible(page)
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("p")
    await page.getByLabel("Class").selectOption("Van")
    await assertAccessible(page)
    await page.getByRole("dialog").getByRole("button", { name: "Price by tariff" }).click()
    await page.getByRole("dialog").getByText("items.0.trip").waitFor()
    await assertAccessible(page)
    await page.getByLabel("Class").selectOption("Sedan")
    await page.getByRole("dialog").getByRole("button", { name: "Price by tariff" }).click()
    await page.getByText("Sedan, tariff version 1").waitFor()
    await page.getByText("CHF 130.00").waitFor()
    await assertAccessible(page)
    await takePictures(page, "sales-quote", (it) => it.locator(".quote-items").waitFor())
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("e")
    await titled(
      page,
      `Edit: ${((await page.getByRole("heading", { level: 1 }).textContent()) ?? "").replace("Edit: ", "")}`
    )
    await page.getByLabel("Amount").nth(1).fill("45")
    await page.keyboard.press("Enter")
    await page.getByText("CHF 135.00").waitFor()
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("s")
    await page.getByRole("dialog").getByRole("button", { name: "Send" }).click()
    await page.getByText("The link of the offer is shown only this once").waitFor()
    await assertAccessible(page)
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("b")
    await page.getByRole("dialog").getByRole("button", { name: "Book the trips" }).click()
    await page.getByText("Trips booked on").waitFor()
    await assertAccessible(page)
    const { body } = await own.api.get<ReadonlyArray<Sold>>("/quotes")
    assert.deepInclude(body.data[0], { status: "converted", total_amount: 135 })
    assert.lengthOf(body.data[0]?.trip_ids ?? [], 1)
    await page.getByRole("link", { name: "Quotes" }).click()
    await page.getByLabel("Status").selectOption("Trips booked")
    await page.getByText("From the airport to the hotel, Champagne").waitFor()
    await assertAccessible(page)
    await takePictures(page, "sales-quotes", (it) => it.getByText("Champagne").waitFor())
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("adds a tour with departures by keyboard, says at the time what is wrong, and shows the free places of each day", async () => {
    const opened = await own.open("/sales/products")
    const { page } = opened
    await titled(page, "Products")
    await page.getByText("Add a tour or a transfer at a fixed price.").waitFor()
    await page.keyboard.press("n")
    await titled(page, "New product")
    await page.getByLabel("Name").fill("Lake tour")
    await page.getByLabel("Price").fill("45")
    await page.getByLabel("Minutes").fill("90")
    await page.getByLabel("From").fill("Pier 1")
    await page.getByLabel("To", { exact: true }).fill("Pier 1")
    await page.keyboard.press("Enter")
    await titled(page, "Lake tour")
    await assertAccessible(page)
    await page.getByRole("button", { name: "Edit Departures" }).focus()
    await page.keyboard.press("Enter")
    await page.getByLabel("Times").fill("09:00, 25:00")
    await page.getByLabel("Seats").fill("8")
    await page.keyboard.press("Enter")
    await page.getByText("Please check this value.").waitFor()
    assert.strictEqual(await page.getByLabel("Times").inputValue(), "09:00, 25:00")
    await assertAccessible(page)
    await page.getByLabel("Times").fill("09:00, 14:00")
    await page.keyboard.press("Enter")
    await page.getByText("Every day at 09:00, 14:00: 8 seats").waitFor()
    await page.getByRole("button", { name: "Month after" }).click()
    await page.getByText("8 of 8 free").first().waitFor()
    assert.isAtLeast(await page.getByText("8 of 8 free").count(), 56)
    await assertAccessible(page)
    await takePictures(page, "sales-product", (it) => it.locator(".capacity").waitFor())
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("books, confirms, takes a payment for and cancels a booking, and shows each refusal", async () => {
    const product = await own.api.post<{ product_id: number }>("/products", {
      name: "Wine evening",
      kind: "other",
      price: 50,
      duration_minutes: 120
    })
    assert.strictEqual(product.status, 201, product.text)
    const opened = await own.open("/sales/bookings")
    const { page } = opened
    await titled(page, "Bookings")
    await page.getByText("Bookings of your products stand here.").waitFor()
    await assertAccessible(page)
    await page.keyboard.press("n")
    await titled(page, "New booking")
    await page.getByLabel("Product").selectOption("Wine evening")
    await page.getByLabel("Name").fill("Emmy Noether")
    await page.getByLabel("Passengers").fill("2")
    await page.keyboard.press("Enter")
    await page.getByText("Please fill in this field.").first().waitFor()
    assert.strictEqual(await page.getByLabel("Name").inputValue(), "Emmy Noether")
    await assertAccessible(page)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await page.getByLabel("Start").fill(`${day}T18:00`)
    await page.getByLabel("Passengers").focus()
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { level: 1, name: /^BK-/u }).waitFor()
    await assertAccessible(page)
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("c")
    await page.getByRole("dialog").getByLabel("Tell the customer by email").selectOption("No")
    await page.getByRole("dialog").getByRole("button", { name: "Confirm booking" }).click()
    await page.getByText("Confirmed on").waitFor()
    await page.getByRole("button", { name: "Record a payment" }).click()
    await page.getByLabel("Amount").fill("nothing")
    await page.getByRole("dialog").getByRole("button", { name: "Record a payment" }).click()
    await page.getByRole("dialog").getByRole("alert").waitFor()
    assert.strictEqual(await page.getByLabel("Amount").inputValue(), "nothing")
    await assertAccessible(page)
    await page.getByLabel("Amount").fill("100")
    await page.getByRole("dialog").getByRole("button", { name: "Record a payment" }).click()
    await page.getByText("Paid", { exact: true }).waitFor()
    await assertAccessible(page)
    await takePictures(page, "sales-booking", (it) => it.locator(".record").first().waitFor())
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("x")
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Tell the customer by email").selectOption("No")
    await dialog.getByRole("button", { name: "Cancel booking" }).click()
    await Promise.race([
      page.getByText("Cancelled on").waitFor(),
      dialog
        .getByRole("button", { name: "Do it anyway" })
        .click()
        .then(() => page.getByText("Cancelled on").waitFor())
        .catch(() => undefined)
    ])
    await page.getByText("Cancelled on").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
