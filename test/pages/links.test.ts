import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, it, vi } from "vitest"
import { query } from "../support/DatabaseRows.ts"
import { describePages, openPage } from "./support/Browser.ts"
import { type PagesServer, startSandbox } from "./support/Sandbox.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const hostile = '"><img src=x onerror=alert(1)><script>alert(2)</script>{{7*7}}'
/** Fits into the shortest fields. */
const brief = "<b onclick=alert(3)>"

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The numbers of records begin here, so that no other text has them by chance. */
const firstNumber = 987_654_321

/** Tables that change by themselves, or with every request. */
const housekeeping = new Set(["rate_counters"])

describePages("the pages of links", () => {
  let sandbox: PagesServer
  let slug: string

  const ask = async <A>(path: string, body: object = {}) => {
    const answer = await sandbox.api.post<A>(path, body)
    assert.isBelow(answer.status, 300, `${path}: ${answer.text}`)
    return answer.body.data
  }

  const trip = (text: string) => ({
    trip_date: new Date(Date.now() + 60_000).toISOString(),
    pickup_address: `${text} pickup`,
    dropoff_address: `${text} dropoff`,
    customer_name: `${text} name`,
    pickup_timezone: "Europe/Zurich"
  })

  /** A trip of a driver with its links, an offer and an invoice. Their texts begin with `text`. */
  const linked = async (text: string, driverId: number, changes: object = {}) => {
    const { trip_id } = await ask<{ trip_id: number }>("/trips", { ...trip(text), ...changes })
    const { drivers } = await ask<{ drivers: ReadonlyArray<{ driver_token: string }> }>(
      `/trips/${trip_id}/drivers`,
      { driver_ids: [driverId] }
    )
    const { token: tracking } = await ask<{ token: string }>(`/trips/${trip_id}/tracking-link`)
    const { quote_id } = await ask<{ quote_id: number }>("/quotes", {
      customer_name: `${text} name`,
      customer_email: "quoted@example.com",
      valid_until: "2031-05-01T16:00:00Z",
      notes: `${text} note`,
      items: [{ description: `${text} item`, trip: trip(text), amount: 240 }]
    })
    const { token: quote } = await ask<{ token: string }>(`/quotes/${quote_id}/send`, { email: false })
    const { invoice_id, payment_hash } = await ask<{ invoice_id: number; payment_hash: string }>(
      "/invoices",
      {
        currency: "EUR",
        notes: `${text} note`,
        items: [{ description: `${text} line`, unit_price: 120 }]
      }
    )
    return {
      numbers: [trip_id, quote_id, invoice_id],
      driver: drivers[0]?.driver_token ?? "",
      tracking,
      quote,
      invoice: payment_hash
    }
  }

  const newDriver = async (name: string) => (await ask<{ driver_id: number }>("/drivers", { name })).driver_id

  /** The pages of links, each with a text that it shows once it has read its record. */
  const pagesOf = (links: Awaited<ReturnType<typeof linked>>, text: string) =>
    [
      [`track#${links.tracking}`, "Your driver is ready"],
      [`quote#${links.quote}`, `${text} item`],
      [`pay#invoice=${links.invoice}`, `${text} line`],
      [`drive#${links.driver}`, `${text} pickup`],
      [`book/${slug}`, "Enter places, date and time"]
    ] as const

  beforeAll(async () => {
    sandbox = await startSandbox()
    const profile = await sandbox.api.get<{ vendor_slug: string }>("/settings/business")
    slug = profile.body.data.vendor_slug
    for (const [table, column] of [
      ["trips", "trip_id"],
      ["quotes", "quote_id"],
      ["invoices", "invoice_id"]
    ])
      await query(
        sandbox.place,
        `select setval(pg_get_serial_sequence('${table}', '${column}'), ${firstNumber})`
      )
  })
  afterAll(() => sandbox.place.remove())

  it("change nothing when they are opened, but that the first view of an invoice seals it", async () => {
    const links = await linked("Plain", await newDriver("Joan Clarke"))
    const tables = (
      await query(
        sandbox.place,
        "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'"
      )
    )
      .map(({ name }) => String(name))
      .filter((name) => !housekeeping.has(name))
    // A worker gives an event its position in the feed after the commit, whoever asks.
    const rowOf = (name: string) =>
      name.startsWith("event") ? "(to_jsonb(t) - 'position')::text" : "t::text"
    const contents = () =>
      query(
        sandbox.place,
        tables
          .map(
            (name) =>
              `select '${name}' as name, count(*)::int as rows, md5(string_agg(${rowOf(name)}, ' ' order by ${rowOf(name)})) as digest from "${name}" t`
          )
          .join(" union all ")
      )
    const before = await contents()
    const changed = async () => {
      const after = await contents()
      return tables.filter((name) => {
        const found = (rows: typeof after) => JSON.stringify(rows.find((row) => row["name"] === name))
        return found(before) !== found(after)
      })
    }
    const records = pagesOf(links, "Plain")
    const screens = [
      "drive",
      "login",
      "sign-up",
      "verify-email#code=none",
      "password-reset#code=none",
      "accept-invitation#code=none",
      "nowhere"
    ]
    // A program that shows previews of links runs no script.
    for (const path of [...records.map(([path]) => path), ...screens])
      await (await fetch(`${sandbox.server.address}/${path}`)).text()
    assert.deepStrictEqual(await changed(), [])

    const methods = new Set<string>()
    const opened = await openPage("about:blank")
    opened.page.on("request", (request) => methods.add(request.method()))
    for (const [path, text] of records) {
      await opened.page.goto(`${sandbox.server.address}/${path}`)
      await shown(opened.page, text)
    }
    for (const path of screens) {
      await opened.page.goto(`${sandbox.server.address}/${path}`)
      await opened.page.locator("h1, h2").first().waitFor()
      await opened.page.waitForTimeout(300)
    }
    assert.deepStrictEqual([...methods], ["GET"])
    assert.sameMembers(await changed(), [
      "event_history",
      "events",
      "invoice_changes",
      "invoice_snapshots",
      "invoices"
    ])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("have nothing of another trip, its customer, its position or its numbers", async () => {
    const driver = await newDriver("Mary Somerville")
    const own = await linked("Plain", driver)
    const other = await linked("Zenobia", driver, {
      customer_email: "zenobia@example.com",
      customer_phone: "+41 79 555 77 00",
      notes: "Zenobia notes",
      stops: [{ address: "Zenobia stop" }],
      passengers: [{ name: "Zenobia guest", phone: "+41 79 555 77 01" }]
    })
    assert.isAbove(Math.min(...other.numbers), firstNumber)
    // The same driver is under way for the other trip.
    await ask(`/driver/status?token=${other.driver}`, { status: "en_route", force: true })
    await ask(`/driver/location?token=${other.driver}`, { lat: 46.123456, lng: 9.654321 })
    const seen = await sandbox.api.get(`/public/tracking/${other.tracking}`)
    assert.include(seen.text, "46.123456")

    const secrets = [
      /zenobia/iu,
      /555 ?77/u,
      /46\.123|9\.654/u,
      new RegExp([other.driver, other.tracking, other.quote, other.invoice, ...other.numbers].join("|"), "u")
    ]
    const answers = [
      `/public/tracking/${own.tracking}`,
      `/public/quotes/${own.quote}`,
      `/public/invoices/${own.invoice}`,
      `/public/businesses/${slug}`,
      `/public/businesses/${slug}/places?query=zen`,
      `/driver/trip?token=${own.driver}`,
      `/driver/office?token=${own.driver}`
    ]
    for (const path of answers) {
      const response = await fetch(`${sandbox.server.api}${path}`)
      assert.strictEqual(response.status, 200, path)
      const bytes = await response.text()
      for (const secret of secrets) assert.notMatch(bytes, secret, path)
    }
    const stream = await fetch(`${sandbox.server.api}/public/tracking/${own.tracking}/stream`)
    const { value } = (await stream.body?.getReader().read()) ?? {}
    for (const secret of secrets) assert.notMatch(Buffer.from(value ?? []).toString(), secret)
    for (const path of [
      `/public/businesses/${slug}/trips/${other.numbers[0]}`,
      `/public/tracking/${other.numbers[0]}`,
      `/public/invoices/${other.numbers[0]}`,
      `/public/quotes/${other.numbers[0]}`
    ])
      assert.strictEqual((await fetch(`${sandbox.server.api}${path}`)).status, 404, path)
  })

  it("work once more after the back button", async () => {
    const links = await linked("Plain", await newDriver("Hedy Lamarr"))
    const { close, faults, page } = await openPage(`${sandbox.server.address}/quote#${links.quote}`)
    await page.getByRole("button", { name: "Accept the offer" }).click()
    await shown(page, "You have accepted this offer")
    await page.goto(`${sandbox.server.address}/pay#invoice=${links.invoice}`)
    await page.getByRole("button", { name: /^Pay €/u }).click()
    await page.getByLabel("Test card").waitFor()
    await page.goBack()
    await shown(page, "You have accepted this offer")
    assert.strictEqual(await page.getByRole("button", { name: "Accept the offer" }).count(), 0)
    await page.goForward()
    // A browser that kept the page shows the form as it was left; another one opens it anew.
    const pay = page.getByRole("button", { name: /^Pay €/u })
    await pay.waitFor()
    const isOpen = await page.getByLabel("Test card").isVisible()
    await pay.click()
    if (!isOpen) {
      await page.getByLabel("Test card").waitFor()
      await pay.click()
    }
    await page.locator(".badge", { hasText: "Paid" }).waitFor()
    await page.goto(`${sandbox.server.address}/track#${links.tracking}`)
    await shown(page, "Your driver is ready")
    await page.goBack()
    await page.locator(".badge", { hasText: "Paid" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: /^Pay/u }).count(), 0)
    await page.goForward()
    await shown(page, "Your driver is ready")

    await ask("/products", {
      name: "Wine tour",
      kind: "tour",
      price: 45,
      duration_minutes: 180,
      pickup_address: "Station",
      dropoff_address: "Station"
    })
    await page.goto(`${sandbox.server.address}/book/${slug}`)
    await page.getByText("Wine tour").click()
    const field = (label: string) => page.getByLabel(label, { exact: true })
    await field("Date").fill("2031-06-01")
    await field("Time").fill("14:00")
    await field("Name").fill("Emmy Noether")
    await field("Email").fill("emmy@example.com")
    await page.getByRole("button", { name: "Book", exact: true }).click()
    await shown(page, /Your ride is booked|We have received your booking/u)
    await page.goBack()
    await shown(page, "Your driver is ready")
    await page.goForward()
    await shown(page, /Book a ride|Your ride is booked|We have received your booking/u)
    const bookings = await query(
      sandbox.place,
      "select count(*)::int as count from bookings where customer_name = 'Emmy Noether'"
    )
    assert.deepStrictEqual(bookings, [{ count: 1 }])
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("show hostile texts as texts, in every field", async () => {
    const { api } = sandbox
    for (const field of ["website_url", "logo_url"]) {
      const { status } = await api.patch("/settings/business", { [field]: "javascript:alert(4)" })
      assert.strictEqual(status, 422, field)
    }
    const settings = await api.patch("/settings/business", {
      business_name: hostile,
      logo_url: 'https://elsewhere.example/logo.png?"><script>alert(5)</script>',
      email_wording: { quote: { subject: hostile, text: `${hostile} {{link}}` } }
    })
    assert.strictEqual(settings.status, 200, settings.text)
    await ask("/products", {
      name: hostile,
      description: hostile,
      kind: "tour",
      price: 45,
      duration_minutes: 180,
      pickup_address: hostile,
      dropoff_address: hostile
    })
    const { car_id } = await ask<{ car_id: number }>("/cars", {
      name: hostile,
      make: brief,
      model: brief,
      color: brief,
      plate_number: brief
    })
    const links = await linked(hostile, await newDriver(`${brief.replaceAll(" ", "/")} Baker`), {
      car_id,
      pickup_sign: hostile,
      flight_number: brief,
      terminal: brief,
      notes: hostile,
      special_requirements: hostile,
      stops: [{ address: hostile, contact: hostile }],
      passengers: [{ name: hostile, phone: "+41 79 000 00 00" }]
    })
    const opened = await openPage("about:blank")
    const { page } = opened
    const dialogs: Array<string> = []
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    const remains = async (path: string) => {
      await page.locator("header", { hasText: hostile }).waitFor()
      const found = await page.evaluate(
        "[...document.querySelectorAll('img, b, body script, [onclick], [onerror], a[href^=javascript]')].map((it) => it.outerHTML)"
      )
      assert.deepStrictEqual(found, [], path)
      assert.notInclude(await page.locator("body").innerText(), "}}49", path)
    }
    for (const [path, text] of pagesOf(links, hostile)) {
      await page.goto(`${sandbox.server.address}/${path}`)
      await shown(page, text)
      await remains(path)
      if (path.startsWith("track")) await shown(page, brief)
      if (path.startsWith("drive")) {
        await page.locator(".note").nth(1).waitFor()
        await page.getByRole("button", { name: "Greeting sign" }).click()
        await page.locator("dialog.sign", { hasText: hostile }).waitFor()
        await remains(path)
      }
      if (path.startsWith("book")) {
        await page.getByText(hostile).nth(1).click()
        await page.locator("dl", { hasText: hostile }).first().waitFor()
        await remains(path)
      }
    }
    await page.goto(`${sandbox.server.address}/quote#${links.quote}`)
    await page.getByLabel("Your name").fill(hostile)
    await page.getByRole("button", { name: "Accept the offer" }).click()
    await shown(page, "You have accepted this offer")
    await remains("quote")
    assert.deepStrictEqual(dialogs, [])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("say that a broken link does not work, whatever it contains", async () => {
    const opened = await openPage("about:blank")
    const { page } = opened
    const broken = ["%", "%E0%A4%A", encodeURIComponent(hostile), "../../settings/business"]
    for (const path of ["track#", "quote#", "drive#", "pay#invoice="])
      for (const text of broken) {
        await page.goto("about:blank")
        await page.goto(`${sandbox.server.address}/${path}${text}`)
        await shown(page, "This link does not work any more")
      }
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
