/** The PDF of an invoice, beside its form on a wide screen. */
import type { Invoice } from "@livery/client"
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { api } from "../Api.ts"
import type { Reading } from "../parts/Loaded.tsx"
import { isAtLeast } from "../parts/Wide.ts"
import type { MoneyWords } from "./words/en.ts"

/** Where there is room for both; below, the PDF is a download alone. */
const wide = isAtLeast(1100)

export const Preview = ({
  invoice: { invoice_id: id, number },
  reading: { at },
  words
}: {
  readonly invoice: Invoice
  readonly reading: Reading<Invoice>
  readonly words: MoneyWords
}): JSX.Element | null => {
  const isWide = wide.value
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!isWide) return undefined
    let isGone = false
    let made: string | undefined
    api.invoicePdfs.pdf({ id }).then(
      (file) => {
        if (isGone) return
        // The type is set here: whatever a server sends, the frame shows it as a PDF and never runs it as a page.
        made = URL.createObjectURL(new Blob([file], { type: "application/pdf" }))
        setAddress(made)
      },
      // The button for the download says why there is none.
      () => setAddress(undefined)
    )
    return () => {
      isGone = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [id, at, isWide])
  if (!isWide) return null
  return address === undefined ? (
    <div class="invoice-pdf skeleton" aria-hidden="true" />
  ) : (
    <iframe class="invoice-pdf" src={address} title={`${words.pdf} ${number ?? words.draft}`} />
  )
}
