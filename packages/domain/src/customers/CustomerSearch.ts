/**
 * The search for customers. A customer's words are those of the name, of the company and of the email, the whole email,
 * and every end of the phone number.
 */
import { Schema } from "effect"
import { Search, split, storedWords, wordsOfEmail, wordsOfPhone } from "../kernel/search/SearchWords.ts"

/** The words that a customer is found by, each once. */
export const searchWordsOf = (customer: {
  readonly name: string
  readonly company?: string | null
  readonly email: string | null
  readonly phone: string | null
}): ReadonlyArray<string> => {
  const { company, email, name, phone } = customer
  return storedWords([
    ...split(name),
    ...split(company ?? ""),
    ...wordsOfEmail(email),
    ...wordsOfPhone(phone)
  ])
}

/** The filters of the list of customers. */
export const CustomerFilter = Schema.Struct({ search: Search })
export type CustomerFilter = typeof CustomerFilter.Type
