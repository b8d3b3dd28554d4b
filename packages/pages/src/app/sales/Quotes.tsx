/** The quotes, by state. */
import type { Quote, QuoteStatus } from "@livery/client"
import type { JSX } from "preact"
import { api } from "../Api.ts"
import { momentOf, money } from "../Formats.ts"
import { useCommands } from "../Keys.ts"
import { mayWrite } from "../Member.ts"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { Page } from "../parts/Page.tsx"
import { usePages } from "../parts/Pages.ts"
import { Table } from "../parts/Table.tsx"
import { hrefOf, navigate } from "../Router.ts"
import { quoteStates, StateBadge } from "./Status.tsx"
import type { SalesWords } from "./words/en.ts"

export const Quotes = ({ words }: { readonly words: SalesWords }): JSX.Element => {
  const filters = filtersOf(["status", "date_from", "date_to"])
  const pages = usePages<Quote>(`quotes ${JSON.stringify(filters)}`, () =>
    api.quotes.list({ ...(filters as { readonly status?: QuoteStatus }), per_page: 50 })
  )
  const mayAdd = mayWrite("sales")
  useCommands(mayAdd ? [{ key: "n", label: words.newQuote, run: () => navigate("/sales/quotes/new") }] : [])
  const add = mayAdd && (
    <a class="button primary" href={hrefOf("/sales/quotes/new")}>
      {words.newQuote}
    </a>
  )
  return (
    <Page title={words.quotes} actions={add}>
      <Filters
        words={words}
        hasSearch={false}
        days={[
          ["date_from", words.fromDay],
          ["date_to", words.toDay]
        ]}
        choices={[
          {
            name: "status",
            label: words.status,
            options: quoteStates.map((state) => [state, words[state]] as const)
          }
        ]}
      />
      <Table
        label={words.quotes}
        pages={pages}
        keyOf={({ quote_id }) => quote_id}
        hrefOf={({ quote_id }) => hrefOf(`/sales/quotes/${quote_id}`)}
        isFiltered={Object.keys(filters).length > 0}
        empty={
          <>
            <p class="muted">{words.firstQuote}</p>
            {add}
          </>
        }
        words={words}
        columns={[
          { name: "reference", label: words.reference, isShort: true, cell: ({ reference }) => reference },
          {
            name: "customer",
            label: words.customer,
            cell: ({ customer_name }) => <bdi>{customer_name}</bdi>,
            sort: ({ customer_name }) => customer_name ?? ""
          },
          {
            name: "offer",
            label: words.offer,
            cell: ({ items }) => <bdi>{items.map(({ description }) => description).join(", ")}</bdi>
          },
          {
            name: "date",
            label: words.date,
            isShort: true,
            cell: ({ created_at }) => momentOf(created_at),
            sort: ({ created_at }) => created_at
          },
          {
            name: "status",
            label: words.status,
            cell: ({ status }) => <StateBadge state={status} words={words} />,
            sort: ({ status }) => status
          },
          {
            name: "amount",
            label: words.amount,
            isNumber: true,
            cell: ({ currency, total_amount }) => money(total_amount, currency),
            sort: ({ total_amount }) => total_amount ?? -1
          }
        ]}
      />
    </Page>
  )
}
