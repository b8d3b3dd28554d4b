/** A field that finds a customer by a few letters of the name, the company, the email or the number. */
import type { Customer } from "@livery/client"
import type { JSX } from "preact"
import type { ControlProps } from "../../components/Field.tsx"
import { api } from "../Api.ts"
import type { AppWords } from "../words/en.ts"
import { Suggest } from "./Suggest.tsx"

const findCustomers = async (text: string): Promise<ReadonlyArray<Customer>> =>
  text.length < 2 ? [] : (await api.customers.list({ search: text, per_page: 8 }).page()).data

export const CustomerInput = ({
  control,
  isRequired = false,
  onChoose,
  onType,
  value,
  words
}: {
  readonly control: ControlProps
  readonly value: string
  readonly isRequired?: boolean
  readonly onChoose: (customer: Customer) => void
  readonly onType: (text: string) => void
  readonly words: AppWords
}): JSX.Element => (
  <Suggest<Customer>
    control={control}
    value={value}
    isRequired={isRequired}
    find={findCustomers}
    nameOf={({ name }) => name}
    detailOf={({ company, email, phone }) => [company, phone ?? email].filter(Boolean).join(" · ")}
    onChoose={onChoose}
    onType={onType}
    words={words}
  />
)
