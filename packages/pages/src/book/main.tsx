import { start } from "../shell/Start.tsx"
import { BookPage } from "./BookPage.tsx"
import { isFramed } from "./state.ts"
import type { BookWords } from "./words/en.ts"

if (isFramed) void import("./Frame.ts")

await start(import.meta.glob<BookWords>("./words/*.ts", { import: "default" }), BookPage)
