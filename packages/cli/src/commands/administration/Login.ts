/** `livery login` and `livery logout`: the sign-in for administrative commands on a server. */
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { addressOf, signIn, signOut } from "../../remote/AdminServer.ts"
import { descriptions } from "../../usage/Descriptions.ts"
import { deleteTokens, storeTokens, tokenFile } from "../../remote/SignIn.ts"
import { promptPassword } from "../../terminal/StandardInput.ts"

const url = Flag.String("url").pipe(Flag.withDescription("The address of the server: https://livery.example"))

export const login = Command.make(
  "login",
  { url, email: Flag.String("email").pipe(Flag.withDescription("The email of a super-admin")) },
  Effect.fn(function* ({ email, url: given }) {
    const address = yield* addressOf(given)
    yield* storeTokens(address, yield* signIn(address, email, yield* promptPassword("Password")))
    yield* Console.log(`Signed in to ${address}. The tokens are in ${tokenFile()}; livery logout ends them.`)
  })
).pipe(
  Command.withDescription(descriptions.login),
  Command.withExamples([
    {
      command: "livery login --url https://livery.example --email ada@example.com",
      description: "Asks for the password"
    },
    {
      command: "livery login --url https://livery.example --email ada@example.com < password.txt",
      description: "From a file"
    }
  ])
)

export const logout = Command.make(
  "logout",
  { url },
  Effect.fn(function* ({ url: given }) {
    const address = yield* addressOf(given)
    const tokens = yield* deleteTokens(address)
    if (Option.isSome(tokens)) yield* Effect.ignore(signOut(address, tokens.value.refresh_token))
    yield* Console.log(
      Option.isSome(tokens) ? `Signed out of ${address}` : `There was no sign-in to ${address}`
    )
  })
).pipe(
  Command.withDescription(descriptions.logout),
  Command.withExamples([
    {
      command: "livery logout --url https://livery.example",
      description: "Ends the session on the server too"
    }
  ])
)
