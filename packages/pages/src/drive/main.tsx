import { start } from "../shell/Start.tsx"
import { DrivePage } from "./DrivePage.tsx"
import { keepPage } from "./Offline.ts"
import type { DriveWords } from "./words/en.ts"

await start(import.meta.glob<DriveWords>("./words/*.ts", { import: "default" }), DrivePage)
keepPage()
