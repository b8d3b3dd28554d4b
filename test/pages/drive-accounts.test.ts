import { assert, expect, it } from "vitest"
import { codeFor } from "../support/Mail.ts"
import { assertAccessible, describePages, openPage } from "./support/Browser.ts"
import {
  drivingOffice,
  headline,
  keptNames,
  tap,
  type TripDrivers,
  waitingCount,
  waitingReports
} from "./support/Driving.ts"
import { takePictures } from "./support/Pictures.ts"

describePages("the driver's page of a signed-in driver", () => {
  const office = drivingOffice()

  it("lists the jobs of a signed-in driver, and opens one", async () => {
    const { id } = await office.newJob({ customer_name: "Mary Somerville" })
    await office.api.post(`/drivers/${office.driverId}/invite`)
    const code = await codeFor(office.place.directory, "josephine@cars.example")
    await office.api.post("/auth/accept-invitation", { code, password: "correct horse battery" })
    const opened = await openPage(`${office.server.address}/drive`)
    const { page } = opened
    await page.getByText("Sign in to see your jobs").waitFor()
    await assertAccessible(page)
    await page.getByRole("link", { name: "Sign in" }).click()
    await page.getByLabel("Email address").fill("josephine@cars.example")
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("link", { name: "Your jobs" }).click()
    await headline(page, "Your jobs")
    await page.getByText("Mary Somerville").waitFor()
    await assertAccessible(page)
    await takePictures(page, "drive-jobs", (it) => it.locator(".jobs").waitFor())
    await page.getByText("Mary Somerville").click()
    await headline(page, "Ready to set out")
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    await expect
      .poll(async () => (await office.api.get<TripDrivers>(`/trips/${id}`)).body.data.status)
      .toBe("in_progress")
    assert.deepStrictEqual(opened.faults, [])
    await opened.close()
  })

  it("keeps the reports of a driver on a shared phone until that driver signs in again", async () => {
    const password = "correct horse battery"
    const addDriver = async (name: string) => {
      const email = `${name.toLowerCase()}@cars.example`
      const driver = await office.api.post<{ driver_id: number }>("/drivers", { name, email })
      await office.api.post(`/drivers/${driver.body.data.driver_id}/invite`)
      await office.api.post("/auth/accept-invitation", {
        code: await codeFor(office.place.directory, email),
        password
      })
      return { email, id: driver.body.data.driver_id }
    }
    const ada = await addDriver("Ada")
    const bea = await addDriver("Bea")
    const { id } = await office.newJob({ customer_name: "Mary Somerville" }, ada.id)
    const ofLink = await office.newJob()
    const statusOf = async (trip: number) =>
      (await office.api.get<TripDrivers>(`/trips/${trip}`)).body.data.status
    const { close, page } = await openPage(`${office.server.address}/login`)
    const signIn = async (email: string) => {
      await page.getByLabel("Email address").fill(email)
      await page.getByLabel("Password", { exact: true }).fill(password)
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByRole("link", { name: "Your jobs" }).waitFor()
    }
    const signOut = async () => {
      await page.goto(`${office.server.address}/login`)
      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("Email address").waitFor()
    }
    await signIn(ada.email)
    await page.route("**/me/driver/trips/*", (route) =>
      route.request().method() === "PATCH" ? route.abort() : route.continue()
    )
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("Mary Somerville").click()
    await tap(page, "Set out")
    await headline(page, "On the way to the pickup")
    assert.strictEqual(await waitingReports(page), 1)

    // Ada's session ends. Her report does not stop the report of a link.
    await page.context().clearCookies()
    await page.goto("about:blank")
    await page.goto(`${office.server.address}/drive#${ofLink.token}`)
    await tap(page, "Set out")
    await expect.poll(() => statusOf(ofLink.id)).toBe("in_progress")
    assert.strictEqual(await waitingReports(page), 1)

    await page.unrouteAll()
    await page.goto(`${office.server.address}/login`)
    await signIn(bea.email)
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("No jobs").waitFor()
    await page.waitForTimeout(500)
    assert.strictEqual(await waitingReports(page), 1)
    assert.notStrictEqual(await statusOf(id), "in_progress")
    await page.route("**/api/v1/**", (route) => route.abort())
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText("No connection.").waitFor()
    assert.isFalse(await page.getByText("Waiting reports").isVisible(), "Bea has reported nothing")
    await page.unrouteAll()

    await signOut()
    await signIn(ada.email)
    await page.getByRole("link", { name: "Your jobs" }).click()
    await page.getByText("Mary Somerville").waitFor()
    await expect.poll(() => statusOf(id)).toBe("in_progress")
    await expect.poll(() => page.evaluate(waitingCount)).toBe(0)
    assert.include(String(await page.evaluate(keptNames)), "account:")
    await signOut()
    await expect.poll(async () => String(await page.evaluate(keptNames))).not.toContain("account:")
    await close()
  })
})
