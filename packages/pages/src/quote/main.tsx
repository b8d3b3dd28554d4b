import { start } from "../shell/Start.tsx"
import { QuotePage } from "./QuotePage.tsx"
import type { QuoteWords } from "./words/en.ts"

await start(import.meta.glob<QuoteWords>("./words/*.ts", { import: "default" }), QuotePage)
