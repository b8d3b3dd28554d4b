import { start } from "../shell/Start.tsx"
import { AppPage } from "./AppPage.tsx"
import { applyTheme } from "./Theme.ts"
import type { AppWords } from "./words/en.ts"
import "./app.css"

applyTheme()
await start(import.meta.glob<AppWords>("./words/*.ts", { import: "default" }), AppPage)
