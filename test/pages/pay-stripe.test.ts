import { makeStripeEmulator, type StripeEmulator } from "@livery/stripe-emulator"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, expect, it, vi } from "vitest"
import { bearer, type Client, clientOf } from "../support/Client.ts"
import { type Installation, installation } from "../support/Installation.ts"
import type { Server } from "../support/Server.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import { takePictures } from "./support/Pictures.ts"
import { stripeScript } from "./support/StripeScript.ts"

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const shown = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const badge = (page: Page, text: string) => page.locator(".badge", { hasText: text }).waitFor()
const payButton = (page: Page) => page.getByRole("button", { name: /^Pay €/u })

/** The origins that a server with Stripe's keys permits on the payment page. */
const stripeOrigins =
  "https://js.stripe.com https://*.js.stripe.com https://api.stripe.com https://hooks.stripe.com"

describePages("the payment page with Stripe's form", () => {
  let place: Installation
  let server: Server
  let api: Client
  let emulator: StripeEmulator
  const scope = Scope.makeUnsafe()

  beforeAll(async () => {
    emulator = await Effect.runPromise(
      Scope.provide(makeStripeEmulator({ webhookUrl: () => `${server.api}/public/payments/stripe` }), scope)
    )
    place = await installation({ embedded: "copied" })
    server = await place.serve([], {
      STRIPE_SECRET_KEY: Redacted.value(emulator.secretKey),
      STRIPE_WEBHOOK_SECRET: Redacted.value(emulator.webhookSecret),
      STRIPE_PUBLISHABLE_KEY: emulator.publishableKey,
      STRIPE_API_BASE: emulator.url
    })
    api = clientOf(server.api, bearer(/lvk_\S+/u.exec(server.program.stdout())?.[0] ?? "none"))
  })
  afterAll(async () => {
    await place.remove()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const issued = async () => {
    const items = [{ description: "Airport transfer", quantity: 1, unit_price: 120 }]
    const { body } = await api.post<{ payment_hash: string }>("/invoices", { currency: "EUR", items })
    return body.data.payment_hash
  }

  const intentOf = (url: string) => new URL(url).pathname.split("/").at(3) ?? ""

  /**
   * Serves the emulated script where Stripe's is, forwards what it sends to the emulated account, and gives the page the policy and
   * the form that it has with Stripe's own address. `answer` makes another answer to a confirmation.
   */
  const withStripe = async (page: Page, answer?: (page: Page) => Promise<object>) => {
    await page.route(
      ({ pathname }) => pathname === "/pay",
      async (route) => {
        const response = await route.fetch()
        const policy = response.headers()["content-security-policy"]?.replaceAll(emulator.url, stripeOrigins)
        assert.include(policy ?? "", "https://js.stripe.com")
        return route.fulfill({
          response,
          headers: { ...response.headers(), "content-security-policy": policy ?? "" }
        })
      }
    )
    await page.route("**/public/invoices/*", async (route) => {
      const response = await route.fetch()
      const { data } = (await response.json()) as { readonly data: { readonly card: object } }
      return route.fulfill({ response, json: { data: { ...data, card: { ...data.card, api_base: null } } } })
    })
    await page.route("https://js.stripe.com/v3/", (route) =>
      route.fulfill({ contentType: "text/javascript", body: stripeScript })
    )
    await page.route("https://api.stripe.com/**", async (route) => {
      const request = route.request()
      const cors = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" }
      if (request.method() === "OPTIONS") return route.fulfill({ status: 204, headers: cors })
      const asked = /\/(authenticated|refused)$/u.exec(request.url())?.[1]
      if (asked !== undefined) {
        const intent = await Effect.runPromise(
          emulator.authenticate(intentOf(request.url()), asked === "authenticated")
        )
        const { last_payment_error: error, ...json } = intent
        return route.fulfill({ headers: cors, json: error === null ? json : { error } })
      }
      if (answer !== undefined && request.url().endsWith("/confirm"))
        return route.fulfill({ headers: cors, json: await answer(page) })
      const response = await fetch(request.url().replace("https://api.stripe.com", emulator.url), {
        method: "POST",
        headers: { authorization: request.headers()["authorization"] ?? "" },
        body: new URLSearchParams(request.postData() ?? "")
      })
      return route.fulfill({ status: response.status, headers: cors, json: await response.json() })
    })
  }

  const open = async (
    hash: string,
    { answer, query = "" }: { answer?: (page: Page) => Promise<object>; query?: string } = {}
  ) => {
    const opened = await openPage("about:blank")
    const asked: Array<string> = []
    opened.page.on("request", (request) => asked.push(request.url()))
    await withStripe(opened.page, answer)
    await opened.page.goto(`${server.address}/pay${query}#invoice=${hash}`)
    return { ...opened, asked: () => asked.filter((url) => url.includes("stripe.com")) }
  }

  const payWith = async (page: Page, number: string) => {
    await page.getByLabel("Card number").fill(number)
    await payButton(page).click()
  }

  it("is loaded only when the payer opens it, and takes a card after a declined one", async () => {
    const { asked, close, faults, page } = await open(await issued())
    await badge(page, "Open")
    assert.deepStrictEqual(asked(), [])
    await payButton(page).click()
    await page.getByLabel("Card number").waitFor()
    await assertAccessible(page)
    await payWith(page, "4000 0000 0000 0002")
    await shown(page, "The payment did not go through")
    await shown(page, "Your card was declined.")
    await payWith(page, "1")
    await shown(page, "Your card number is incomplete.")
    await payWith(page, "4242 4242 4242 4242")
    await badge(page, "Paid")
    await assertAccessible(page)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("asks the bank where the card needs it: a refusal keeps the form, a confirmation pays", async () => {
    const { close, faults, page } = await open(await issued())
    await payButton(page).click()
    page.once("dialog", (dialog) => void dialog.dismiss())
    await payWith(page, "4000 0027 6000 3184")
    await shown(page, "The payment did not go through")
    page.once("dialog", (dialog) => void dialog.accept())
    await payWith(page, "4000 0027 6000 3184")
    await badge(page, "Paid")
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("says that a payment is being processed, until the provider reports its end", async () => {
    const { close, faults, page } = await open(await issued(), {
      answer: async () => ({ id: "pi_1", object: "payment_intent", status: "processing" })
    })
    await payButton(page).click()
    await payWith(page, "4242 4242 4242 4242")
    await shown(page, "Your payment is being processed")
    await assertAccessible(page)
    await takePictures(page, "pay-open-stripe", (it) => it.locator("table").waitFor())
    const intent = emulator.intents().findLast(({ status }) => status === "requires_payment_method")
    await Effect.runPromise(emulator.pay(intent?.id ?? ""))
    await badge(page, "Paid")
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("shows the outcome after the payer comes back from a bank's own page, without the secret in the address", async () => {
    const hash = await issued()
    const returned = (outcome: string) =>
      `?lang=en&payment_intent=pi_1&payment_intent_client_secret=pi_1_secret_2&redirect_status=${outcome}`
    const failed = await open(hash, { query: returned("failed") })
    await shown(failed.page, "The payment did not go through")
    await payButton(failed.page).waitFor()
    assert.strictEqual(new URL(failed.page.url()).search, "?lang=en")
    assert.include(failed.page.url(), hash)
    assert.deepStrictEqual(failed.faults, [])
    await failed.close()
    const paid = await open(hash, { query: returned("succeeded") })
    await shown(paid.page, "Your payment is being processed")
    assert.notInclude(paid.page.url(), "secret")
    await api.post(`/invoices/${await invoiceOf(hash)}/payments`, { amount: 120, method: "card" })
    await badge(paid.page, "Paid")
    assert.deepStrictEqual(paid.faults, [])
    await paid.close()
  })

  /** The provider takes the latest payment, and the invoice knows of it. */
  const payLatest = async (hash: string) => {
    const intent = emulator.intents().findLast(({ status }) => status === "requires_payment_method")
    await Effect.runPromise(emulator.pay(intent?.id ?? ""))
    await expect
      .poll(async () => (await api.get<{ status: string }>(`/public/invoices/${hash}`)).body.data.status)
      .toBe("partial")
  }

  const payPart = async (page: Page) => {
    await page.getByLabel("Amount to pay now").fill("50")
    await payButton(page).click()
    await payWith(page, "4242 4242 4242 4242")
  }

  it("shows a part payment that the invoice knows of before the payer comes back from the bank's page", async () => {
    await api.patch("/settings/business", { part_payments_allowed: true })
    const hash = await issued()
    const { close, faults, page } = await open(hash, {
      answer: async (it) => {
        await payLatest(hash)
        const back = new URL(it.url())
        back.searchParams.set("redirect_status", "succeeded")
        return { redirect: back.href }
      }
    })
    await payPart(page)
    await badge(page, "Partly paid")
    await page.getByRole("button", { name: "Pay €70.00" }).waitFor({ timeout: 5000 })
    assert.strictEqual(await page.getByText("is being processed").count(), 0)
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("keeps the form until it has its answer, also if the invoice knows of the part payment before", async () => {
    const hash = await issued()
    let hasForm = false
    const { close, faults, page } = await open(hash, {
      answer: async (it) => {
        await payLatest(hash)
        const read = it.waitForResponse((response) => response.url().endsWith(`/public/invoices/${hash}`))
        await it.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await read
        await it.waitForTimeout(200)
        hasForm = (await it.getByLabel("Card number").count()) === 1
        return { id: "pi_1", object: "payment_intent", status: "succeeded" }
      }
    })
    await payPart(page)
    await badge(page, "Partly paid")
    await page.getByRole("button", { name: "Pay €70.00" }).waitFor({ timeout: 5000 })
    assert.isTrue(hasForm)
    assert.deepStrictEqual(faults, [])
    await close()
    await api.patch("/settings/business", { part_payments_allowed: false })
  })

  it("offers a way back if a payment has no outcome after a minute", async () => {
    const { close, faults, page } = await open(await issued(), {
      answer: async () => ({ id: "pi_1", object: "payment_intent", status: "processing" })
    })
    await page.clock.install()
    await payButton(page).click()
    await payWith(page, "4242 4242 4242 4242")
    await shown(page, "Your payment is being processed")
    await page.clock.fastForward(61_000)
    await shown(page, "We have no confirmation of your payment yet")
    await assertAccessible(page)
    await page.getByRole("button", { name: "Back" }).click()
    await payButton(page).waitFor()
    assert.deepStrictEqual(faults, [])
    await close()
  })

  it("can be loaded again after its script could not be reached", async () => {
    const { asked, close, page } = await open(await issued())
    const isScript = "https://js.stripe.com/**"
    await page.route(isScript, (route) => route.abort())
    await payButton(page).click()
    await shown(page, "No connection. Check your internet connection")
    await assertAccessible(page)
    await page.unroute(isScript)
    await page.getByRole("button", { name: "Try again" }).click({ timeout: 5000 })
    await payWith(page, "4242 4242 4242 4242")
    await badge(page, "Paid")
    assert.lengthOf(
      asked().filter((url) => url.startsWith("https://js.")),
      2
    )
    await close()
  })

  const invoiceOf = async (hash: string) => {
    const { body } = await api.get<ReadonlyArray<{ invoice_id: number; payment_hash: string }>>("/invoices")
    return body.data.find(({ payment_hash }) => payment_hash === hash)?.invoice_id
  }
})
