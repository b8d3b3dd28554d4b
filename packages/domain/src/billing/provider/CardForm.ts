/** How the browser of a customer pays by card. */
import { Context } from "effect"

/**
 * The provider's key for browsers. `api_base` is the address of an emulated provider, whose test cards the page offers in a form
 * of its own; null: the provider's own form.
 */
export interface CardFormSettings {
  readonly publishable_key: string
  readonly api_base: string | null
}

/** The setting; undefined if pages cannot offer cards. */
export const CardForm = Context.Reference<CardFormSettings | undefined>("@livery/domain/CardForm", {
  defaultValue: () => undefined
})
