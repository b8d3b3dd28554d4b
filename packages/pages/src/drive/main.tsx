import { start } from "../shell/Start.tsx"
import { DrivePage } from "./DrivePage.tsx"
import { later } from "./state.ts"
import type { DriveWords } from "./words/en.ts"

await start(import.meta.glob<DriveWords>("./words/*.ts", { import: "default" }), DrivePage)
later.value = await import("./later/Later.tsx")
// Now all files of the page are loaded, and can be kept.
later.value.keepPage()
