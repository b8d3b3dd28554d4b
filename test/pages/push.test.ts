import type { Page } from "playwright-core"
import { assert, expect, it } from "vitest"
import { bearer, clientOf } from "../support/Client.ts"
import { codeFor } from "../support/Mail.ts"
import { describePages, openPage } from "./support/Browser.ts"
import { drivingOffice, headline } from "./support/Driving.ts"

/** A push service needs its maker's servers, so that the browser's own subscription is replaced. */
const fakeSubscription = `
  let current = null
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
    globalThis.subscribedBy = applicationServerKey
    current = {
      toJSON: () => ({
        endpoint: "https://push.example.com/subscriptions/1",
        keys: {
          p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
          auth: "BTBZMqHH6r4Tts7J_aSIgg"
        }
      }),
      unsubscribe: async () => true
    }
    return current
  }`

/** Delivers a push message to the worker of the page, as the browser does after it was decrypted. */
const delivering = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const [registration] = registrations.filter(({ isDeleted }) => !isDeleted)
      if (registration !== undefined) resolve(registration.registrationId)
    })
  })
  await session.send("ServiceWorker.enable")
  const registrationId = await registered
  return (data: string) =>
    session.send("ServiceWorker.deliverPushMessage", {
      origin: new URL(page.url()).origin,
      registrationId,
      data
    })
}

/** The notifications that the page's worker shows. */
const shown = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    return (await registration.getNotifications()).map(({ body, title }) => ({ title, body }))
  })

describePages("push messages to a driver's browser", () => {
  const office = drivingOffice()

  it("are turned on by the driver, shown by the worker, and lead to the driver's page", async () => {
    const password = "correct horse battery"
    const email = "josephine@cars.example"
    await office.newJob()
    await office.api.post(`/drivers/${office.driverId}/invite`)
    const code = await codeFor(office.place.directory, email)
    await office.api.post("/auth/accept-invitation", { code, password })
    const opened = await openPage(`${office.server.address}/login`, { permissions: ["notifications"] })
    const { page } = opened
    await page.addInitScript(fakeSubscription)
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password", { exact: true }).fill(password)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: "Your jobs" }).click()
    await headline(page, "Your jobs")
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await page.getByRole("button", { name: "Tell me about jobs in this browser" }).click()
    await page.getByText("This browser tells you about your jobs.").waitFor()

    const anyone = clientOf(office.server.api)
    const login = await anyone.post<{ access_token: string }>("/auth/login", { email, password })
    const driver = clientOf(office.server.api, bearer(login.body.data.access_token))
    const key = (await driver.get<{ public_key: string }>("/me/push-key")).body.data.public_key
    assert.strictEqual(await page.evaluate("subscribedBy"), key)
    const devices = (
      await driver.get<ReadonlyArray<{ platform: string; device_token: string }>>("/me/devices")
    ).body.data
    assert.deepStrictEqual(
      devices.map(({ platform }) => platform),
      ["web"]
    )

    const deliver = await delivering(page)
    await deliver(JSON.stringify({ title: "New job", body: "TR-1, 18:30", url: null }))
    await expect.poll(() => shown(page)).toEqual([{ title: "New job", body: "TR-1, 18:30" }])
    await deliver(JSON.stringify({ title: "New job", body: "TR-1, 18:30", url: null }))
    await deliver("no JSON")
    await expect
      .poll(() => shown(page))
      .toEqual([
        { title: "New job", body: "TR-1, 18:30" },
        { title: "Livery", body: "" }
      ])

    // Only a person's click may open or focus a window, so that both are recorded instead.
    const [worker] = page.context().serviceWorkers()
    const click = () =>
      worker?.evaluate(async () => {
        const scope = globalThis as unknown as ServiceWorkerGlobalScope & { opened: Array<string> }
        scope.opened = []
        scope.clients.openWindow = async (url) => {
          scope.opened.push(`open ${String(url)}`)
          return null
        }
        WindowClient.prototype.focus = async function () {
          scope.opened.push(`focus ${this.url}`)
          return this
        }
        const [notification] = await scope.registration.getNotifications()
        if (notification !== undefined)
          scope.dispatchEvent(new NotificationEvent("notificationclick", { notification }))
        await new Promise((done) => setTimeout(done, 300))
        return scope.opened
      })
    assert.deepStrictEqual(await click(), [`focus ${page.url()}`])
    await expect.poll(() => shown(page)).toHaveLength(1)
    const other = await page.context().newPage()
    await other.goto(`${office.server.address}/login`)
    await page.close()
    assert.deepStrictEqual(await click(), [`open ${office.server.address}/drive`])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
