/**
 * The start of the executable: prints the help that the build has written, or runs the command line. It imports Effect
 * only for the latter, because Effect takes most of the time of a short command.
 */
import { readFileSync } from "node:fs"
import { type HelpPages, writtenHelp } from "./usage/WrittenHelp.ts"

// The reader of an output may end at any time (`| head`, a log shipper). The server continues.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)

const pages = () => JSON.parse(readFileSync(new URL("help.json", import.meta.url), "utf8")) as HelpPages
const help = writtenHelp(process.argv.slice(2), process, pages)
if (help === undefined) (await import("./main.ts")).main()
else process.stdout.write(help)
