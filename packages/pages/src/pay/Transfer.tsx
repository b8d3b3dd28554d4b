/** What a bank transfer needs, and a code that banking apps in the euro area read. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Facts } from "../components/Facts.tsx"
import { format } from "../i18n/Language.ts"
import type { Invoice } from "./Invoice.ts"
import type { PayWords } from "./words/en.ts"

/** The groups of four in which an IBAN is read and typed. */
const spaced = (iban: string) => iban.replaceAll(/(.{4})(?=.)/gu, "$1 ")

/** The text of a transfer's code (EPC069-12, version 2). */
const codeOf = (
  { bic, holder, iban }: NonNullable<Invoice["bank_account"]>,
  amount: number,
  reference: string
) =>
  [
    "BCD",
    "002",
    "1",
    "SCT",
    bic ?? "",
    holder.slice(0, 70),
    iban,
    `EUR${amount.toFixed(2)}`,
    "",
    "",
    reference
  ].join("\n")

/** The dark modules of a code as one path. Its maker is loaded when a code is shown. */
const Code = ({ label, text }: { readonly text: string; readonly label: string }) => {
  const [code, setCode] = useState({ path: "", size: 1 })
  useEffect(() => {
    const draw = async () => {
      const { encode } = await import("uqr")
      const { data, size } = encode(text, { ecc: "M", border: 4 })
      const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
      setCode({ path: squares.join(""), size })
    }
    // Without the code, the account can still be typed.
    draw().catch(() => {})
  }, [text])
  return (
    <svg class="code" viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label}>
      <path d={code.path} />
    </svg>
  )
}

export const Transfer = ({
  account,
  invoice,
  words
}: {
  readonly account: NonNullable<Invoice["bank_account"]>
  readonly invoice: Invoice
  readonly words: PayWords
}): JSX.Element => (
  <section class="card">
    <h2>{words.transfer}</h2>
    <Facts
      facts={[
        [words.holder, <bdi key="holder">{account.holder}</bdi>],
        [
          "IBAN",
          <span key="iban" class="number">
            {spaced(account.iban)}
          </span>
        ],
        ["BIC", account.bic],
        [words.amount, format.money(invoice.amount_due, invoice.currency)],
        [
          words.reference,
          <span key="number" class="number">
            {invoice.number}
          </span>
        ]
      ]}
    />
    {invoice.currency === "EUR" && (
      <figure class="scan">
        <Code text={codeOf(account, invoice.amount_due, invoice.number)} label={words.code} />
        <figcaption class="small muted">{words.code}</figcaption>
      </figure>
    )}
  </section>
)
