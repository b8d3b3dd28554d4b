import { start } from "../shell/Start.tsx"
import { AppPage } from "./AppPage.tsx"
import { openOffice } from "./Opening.ts"
import { applyTheme } from "./Theme.ts"
import type { AppWords } from "./words/en.ts"
import "./app.css"
import "./frame.css"

applyTheme()
void openOffice()
await start(import.meta.glob<AppWords>("./words/*.ts", { import: "default" }), AppPage)
