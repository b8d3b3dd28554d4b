import { start } from "../shell/Start.tsx"
import { PayPage } from "./PayPage.tsx"
import type { PayWords } from "./words/en.ts"

await start(import.meta.glob<PayWords>("./words/*.ts", { import: "default" }), PayPage)
