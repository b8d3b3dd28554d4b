import type { Page } from "playwright-core"
import { assert, expect, it } from "vitest"
import { bearer, clientOf } from "../support/Client.ts"
import { codeFor } from "../support/Mail.ts"
import { describePages, openPage } from "./support/Browser.ts"
import { drivingOffice, headline } from "./support/Driving.ts"

/**
 * A push service needs its maker's servers, and a browser without a screen grants no notifications: the subscription of this page,
 * and what its worker shows, are replaced. The message itself is delivered by the browser.
 */
const fakeSubscription = `
  Object.defineProperty(Notification, "permission", { get: () => "granted" })
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
      const registration = registrations.find(({ isDeleted }) => !isDeleted)
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

/** Records what the worker shows and opens: only a person's click may open or focus a window. */
const recording = `(() => {
  globalThis.shown = []
  globalThis.opened = []
  registration.showNotification = async (title, { body }) => { shown.push({ title, body }) }
  clients.openWindow = async (url) => { opened.push("open " + url) }
  WindowClient.prototype.focus = async function () { opened.push("focus " + this.url) }
})()`

/** Clicks the notification, and returns what the worker opened for it. */
const click = `(async () => {
  const event = new Event("notificationclick")
  let work
  event.notification = { close: () => undefined }
  event.waitUntil = (promise) => { work = promise }
  dispatchEvent(event)
  await work
  return opened.splice(0)
})()`

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
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)")
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

    const [worker] = page.context().serviceWorkers()
    if (worker === undefined) throw new Error("The page has no worker")
    await worker.evaluate(recording)
    const deliver = await delivering(page)
    await deliver(JSON.stringify({ title: "New job", body: "TR-1, 18:30", url: null }))
    await deliver("no JSON")
    await expect
      .poll(() => worker.evaluate("shown"))
      .toEqual([
        { title: "New job", body: "TR-1, 18:30" },
        { title: "Livery", body: "" }
      ])
    assert.deepStrictEqual(await worker.evaluate(click), [`focus ${page.url()}`])
    await page.goto(`${office.server.address}/login`)
    assert.deepStrictEqual(await worker.evaluate(click), [`open ${office.server.address}/drive`])
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })
})
