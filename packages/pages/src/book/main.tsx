import { start } from "../shell/Start.tsx"
import { BookPage } from "./BookPage.tsx"
import type { BookWords } from "./words/en.ts"

await start(import.meta.glob<BookWords>("./words/*.ts", { import: "default" }), BookPage)
