/** The body that creates a business. */
import { Schema } from "effect"
import { name } from "../../kernel/fields/Name.ts"

/** The input of {@link BusinessCreation}. */
export const BusinessCreationInput = Schema.Struct({ business_name: name(200) })
export type BusinessCreationInput = typeof BusinessCreationInput.Type
