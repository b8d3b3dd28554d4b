/** The pages whose requests the reference shows. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = join(import.meta.dirname, "../../docs/api")

/** The pages of the API guide, and those of further samples, by their names: `trips`, `samples/drive`. */
export const guidePages = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("{,samples/}*.md", { cwd: folder })
      .sort()
      .map((file) => [file.replace(/\.md$/u, ""), readFileSync(join(folder, file), "utf8")])
  )

/** The operations without a response that a server sent in a test run, and why there is none. */
export const withoutSample: Readonly<Record<string, string>> = {
  "auth.beginWithProvider": "it needs an identity provider with a page for people",
  "auth.finishWithProvider": "it needs the code of an identity provider",
  "auth.signInWithProvider": "it needs an identity provider with a page for people",
  "auth.openDemonstration": "it needs the code that `livery serve --demo` prints",
  "calendars.linkOffice": "the page on calendars shows the same for a driver",
  "calendars.unlinkOffice": "the same",
  "calendars.linkCustomer": "the same",
  "calendars.unlinkCustomer": "the same",
  "publicCalendars.read": "its response is a file for calendars; the page on calendars describes it",
  "creditNotes.xrechnung": "it needs a credit note with every field that XRechnung requires",
  "imports.start": "it needs a file; the page on moving describes it",
  "imports.columns": "the same",
  "imports.list": "it needs an import",
  "imports.read": "it needs an import",
  "imports.lines": "it needs an import",
  "imports.refused": "it needs an import",
  "invoicePdfs.xrechnung": "it needs an invoice with every field that XRechnung requires",
  "notices.putGateway": "the page on text messages has five recipes",
  "notices.removeGateway": "the same",
  "notices.testGateway": "the same",
  "notices.readGateway": "the same",
  "textCallbacks.receive": "it needs the address that a gateway got",
  "notices.pushKey": "the office and the drivers' page subscribe by it",
  "paymentNotices.stripe": "it needs a signature of Stripe; the guide to payments says what to set up",
  "settings.updateCreditNoteNumbers":
    "its format has braces, which the guide takes for names of earlier values",
  "settings.updateInvoiceNumbers": "its format has braces, which the guide takes for names of earlier values",
  "webhooks.retry": "it needs a delivery that failed six times, which takes over 12 hours"
}
