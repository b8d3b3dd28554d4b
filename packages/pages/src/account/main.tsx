import { start } from "../shell/Start.tsx"
import { AccountPage } from "./AccountPage.tsx"
import type { AccountWords } from "./words/en.ts"

await start(import.meta.glob<AccountWords>("./words/*.ts", { import: "default" }), AccountPage)
