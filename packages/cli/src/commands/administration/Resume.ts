/** `livery resume`: ends the pause of an installation's outgoing work. */
import { Command } from "effect/cli"
import { AdminSettings } from "@livery/domain"
import { descriptions } from "../../usage/Descriptions.ts"
import { changeFlags, printRecordFrom } from "./AdminCommand.ts"

const payload = { value: false }

export const resume = Command.make("resume", changeFlags, (flags) =>
  printRecordFrom(
    flags,
    AdminSettings.use((settings) => settings.set("outgoing_paused", payload)),
    { method: "PATCH", path: "/settings/outgoing_paused", payload }
  )
).pipe(
  Command.withDescription(
    `${descriptions.resume}. It takes effect on every server within ten seconds. What has waited is sent then`
  ),
  Command.withExamples([
    { command: "livery resume", description: "After a recovery; not after a rehearsal" },
    {
      command: "livery settings set outgoing_paused true",
      description: "The opposite: pause an installation, such as a copy by pg_restore before its first start"
    }
  ])
)
