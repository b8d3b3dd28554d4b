import { createRequire } from "node:module"

/** The version of this executable. */
export const { version }: { readonly version: string } = createRequire(import.meta.url)("../../package.json")
