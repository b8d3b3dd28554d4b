import { start } from "../shell/Start.tsx"
import { TrackPage } from "./TrackPage.tsx"
import type { TrackWords } from "./words/en.ts"

await start(import.meta.glob<TrackWords>("./words/*.ts", { import: "default" }), TrackPage)
