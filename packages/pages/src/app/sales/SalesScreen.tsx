/** Sales: quotes, bookings, and the products that are booked. */
import type { JSX } from "preact"
import { later } from "../../components/Later.tsx"
import { hrefOf } from "../Router.ts"
import type { Screen, ScreenProps } from "../screens.ts"
import { Bookings } from "./Bookings.tsx"
import { Products } from "./Products.tsx"
import { Quotes } from "./Quotes.tsx"
import type { SalesWords } from "./words/en.ts"
import "./sales.css"

const QuoteRecord = later(() => import("./QuoteRecord.tsx").then((it) => it.QuoteRecord))
const NewQuote = later(() => import("./QuoteForm.tsx").then((it) => it.NewQuote))
const EditQuote = later(() => import("./QuoteForm.tsx").then((it) => it.EditQuote))

const Tabs = ({ current, words }: { readonly current: string; readonly words: SalesWords }) => (
  <nav class="tabs" aria-label={words.sales}>
    {(["quotes", "bookings", "products"] as const).map((name) => (
      <a key={name} href={hrefOf(`/sales/${name}`)} aria-current={name === current ? "page" : undefined}>
        {words[name]}
      </a>
    ))}
  </nav>
)

const Quote = ({ rest: [id, step], words }: ScreenProps<SalesWords>) => {
  if (id === undefined) return <Quotes words={words} />
  if (id === "new") return <NewQuote words={words} />
  return step === "edit" ? (
    <EditQuote key={id} id={Number(id)} words={words} />
  ) : (
    <QuoteRecord key={id} id={Number(id)} words={words} />
  )
}

const Sales = ({ rest: [kind = "quotes", ...rest], words }: ScreenProps<SalesWords>): JSX.Element => {
  const Part = kind === "bookings" ? Bookings : kind === "products" ? Products : Quote
  return (
    <>
      <Tabs current={kind} words={words} />
      <Part key={kind} rest={rest} words={words} />
    </>
  )
}

export const screen: Screen<SalesWords> = Sales
