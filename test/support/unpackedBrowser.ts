// Unpacks the browser of the tests before the first one. Several threads of tests would unpack it at once, and one of them would
// start a file that another one still writes.
import bundled from "@sparticuz/chromium"

export default async function setup(): Promise<void> {
  if (process.env["LIVERY_CHROMIUM"] !== undefined) return
  // Where it cannot be unpacked, `Browser.ts` says so.
  await bundled.executablePath().catch(() => undefined)
}
