// The evening on which a company moves in by the office's screen: a sheet of another program becomes customers.
import { readFile } from "node:fs/promises"
import type { Download, Page } from "playwright-core"
import { assert, expect, it } from "vitest"
import { assertAccessible, describePages, focused } from "./support/Browser.ts"
import { office, titled } from "./support/Office.ts"
import { takePictures } from "./support/Pictures.ts"

/** A sheet whose headers are known to no program, in an order of their own. */
const sheet = [
  "Ligne;Courriel;Client;Ville;Remarque",
  "044 668 18 00;ada@engines.example;Ada Lovelace;Zürich;prefers the back seat",
  ";no address;Charles Babbage;London;",
  ";grace@navy.example;Grace Hopper;Arlington;"
].join("\r\n")

/** A sheet with long texts. */
const longSheet = [
  "Name;E-Mail;Anmerkungen der Buchhaltung und der Disposition;Nutzungsbedingungen",
  `${"Ada Augusta King-Noel, Countess of Lovelace ".repeat(3)};ada@engines.example;${"Kreditlimit ".repeat(20)};`,
  `Jo;${"a".repeat(80)};;`
].join("\n")

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) })

const textOf = async (download: Download) => readFile(await download.path(), "utf8")

/** What a press of a button saves. */
const saved = async (page: Page, button: string) => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).press("Enter")
  ])
  return download
}

const counts = (page: Page) => page.getByRole("group", { name: "Outcome" })

describePages("the office's import", () => {
  const own = office()

  const customers = async () =>
    (await own.api.get<ReadonlyArray<{ name: string }>>("/customers")).body.data.map(({ name }) => name)

  it("moves customers in: columns are mapped by hand, shown before, imported, mended and completed; twice changes nothing", async () => {
    const opened = await own.open("/customers")
    const { page } = opened
    await titled(page, "Customers")
    await page.locator(".empty").getByRole("link", { name: "Import" }).press("Enter")
    await titled(page, "Import")
    await assertAccessible(page)
    await takePictures(page, "app-import-empty", (it) => it.locator(".empty").waitFor())

    await page.locator("input[type=file]").setInputFiles(csv("clients.csv", sheet))
    await page.getByText("3 lines").waitFor()
    await page.getByText("A needed column is missing").waitFor()
    await assertAccessible(page)
    await page.getByRole("button", { name: "Preview" }).press("Enter")
    const read = (column: string) => page.getByLabel(`Column “${column}” is read as`)
    await expect.poll(() => page.evaluate("document.activeElement?.tagName")).toBe("SELECT")
    await read("Client").selectOption("Name")
    await read("Courriel").selectOption("Name")
    await page.getByText("Another column is already read as “Name”").waitFor()
    await assertAccessible(page)
    await read("Courriel").selectOption("Email")
    await read("Ligne").selectOption("Phone")
    await read("Ville").selectOption("City")
    await page.getByRole("button", { name: "Preview" }).press("Enter")
    await page.getByText("Nothing is stored yet. New: 2, changed: 0, already there: 0, refused: 1.").waitFor()
    await assertAccessible(page)
    await page.setViewportSize({ width: 1440, height: 800 })
    await counts(page).getByRole("button", { name: "Refused" }).press("Enter")
    await page.getByText("Email: is not valid").waitFor()
    assert.strictEqual(await page.getByText("Grace Hopper", { exact: true }).count(), 1)
    assert.deepStrictEqual(await customers(), [])

    await page.getByRole("button", { name: "Import now: 2 new or changed" }).press("Enter")
    await titled(page, "Import: Customers")
    await page.getByText("New: 2, changed: 0, already there: 0, refused: 1.", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Grace Hopper" }).waitFor()
    await page.locator("body").press("j")
    await focused(page.getByRole("link", { name: "Ada Lovelace" }))
    await page.keyboard.press("ArrowDown")
    await focused(page.getByRole("link", { name: "Grace Hopper" }))
    await assertAccessible(page)
    await takePictures(page, "app-import-one", (it) => it.locator(".counts").waitFor())
    assert.deepStrictEqual(await customers(), ["Ada Lovelace", "Grace Hopper"])

    const refused = await saved(page, "Download the refused lines")
    assert.match(refused.suggestedFilename(), /^Customers refused \d+\.csv$/u)
    const mended = (await textOf(refused)).replace("no address", "charles@engines.example")
    assert.include(mended, "email invalid")
    const transfer = await page.evaluateHandle(`(() => {
      const data = new DataTransfer()
      data.items.add(new File([${JSON.stringify(mended)}], "mended.csv", { type: "text/csv" }))
      return data
    })()`)
    await page.dispatchEvent("main", "drop", { dataTransfer: transfer })
    await titled(page, "Import")
    await page.getByText("mended.csv").waitFor()
    await page.getByText("it says why the line was refused").waitFor()
    await page.getByRole("button", { name: "Preview" }).press("Enter")
    await page.getByRole("button", { name: "Import now: 1 new or changed" }).press("Enter")
    await page.getByText("New: 1, changed: 0, already there: 0, refused: 0.", { exact: true }).waitFor()
    assert.deepStrictEqual(await customers(), ["Ada Lovelace", "Charles Babbage", "Grace Hopper"])

    await page.getByRole("link", { name: "All imports" }).press("Enter")
    await titled(page, "Import")
    await page.getByRole("table", { name: "Earlier imports" }).locator("tbody tr").nth(1).waitFor()
    await page.locator("input[type=file]").setInputFiles(csv("mended.csv", mended))
    await read("Client").selectOption("Name")
    await read("Courriel").selectOption("Email")
    await page.getByRole("button", { name: "Preview" }).press("Enter")
    await page.getByText("there is nothing to import").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Import now" }).count(), 0)
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("refuses a file that is no table with a sentence at the field, and keeps what was chosen", async () => {
    const opened = await own.open("/import?as=drivers")
    const { page } = opened
    await titled(page, "Import")
    await page.getByLabel("The file comes from").selectOption("Limo Anywhere")
    const broken = { name: "list.xlsx", mimeType: "", buffer: Buffer.from("PK\u0003\u0004 broken") }
    await page.locator("input[type=file]").setInputFiles(broken)
    await page.getByText("This file cannot be read as a table. Save it as CSV or XLSX").waitFor()
    assert.strictEqual(await page.getByLabel("File", { exact: true }).getAttribute("aria-invalid"), "true")
    await assertAccessible(page)
    await takePictures(page, "app-import-broken", async (it) => {
      await it.locator("input[type=file]").setInputFiles(broken)
      await it.locator(".wrong").waitFor()
    })
    assert.strictEqual(await page.getByLabel("The lines are").inputValue(), "drivers")
    await page.locator("input[type=file]").setInputFiles(csv("empty.csv", "name,email\n"))
    await page.getByText("It needs a header row and at least one line below it").waitFor()
    const large = { name: "large.csv", mimeType: "text/csv", buffer: Buffer.alloc(10 * 1024 * 1024 + 1, "a") }
    await page.locator("input[type=file]").setInputFiles(large)
    await page.getByText("The file is larger than 10 MB").waitFor()
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps the file and the columns while another screen is shown", async () => {
    const opened = await own.open("/import")
    const { page } = opened
    await titled(page, "Import")
    await takePictures(page, "app-import-preview", async (it) => {
      await it.locator("input[type=file]").setInputFiles(csv("clients.csv", longSheet))
      await it.locator(".columns").waitFor()
      await it.locator("form button").press("Enter")
      await it.locator(".counts").waitFor()
    })
    await page.locator("input[type=file]").setInputFiles(csv("clients.csv", sheet))
    await page.getByLabel("Column “Client” is read as").selectOption("Company")
    await page.locator("body").press("g")
    await page.keyboard.press("b")
    await titled(page, "Board")
    await page.keyboard.press("g")
    await page.keyboard.press("i")
    await titled(page, "Import")
    await page.getByText("clients.csv").waitFor()
    assert.strictEqual(await page.getByLabel("Column “Client” is read as").inputValue(), "company")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("downloads a list as CSV with the filters that it has", async () => {
    await own.api.post("/customers", { name: "Mary Somerville" })
    const opened = await own.open("/customers?search=lovelace")
    const { page } = opened
    await titled(page, "Customers")
    const file = await saved(page, "Download as CSV")
    assert.match(file.suggestedFilename(), /^Customers \d{4}-\d\d-\d\d\.csv$/u)
    const [header = "", ...lines] = (await textOf(file)).trimEnd().split("\r\n")
    assert.match(header, /^customer_id,external_ref,name,/u)
    assert.lengthOf(lines, 1)
    assert.include(lines[0], "Ada Lovelace")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
