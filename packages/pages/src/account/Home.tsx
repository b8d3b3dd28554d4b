/** What a signed-in person sees: the business to act for, the way to the jobs, and signing out. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Failure } from "../api/Failure.ts"
import {
  actingBusiness,
  type BusinessChoice,
  chooseBusiness,
  isSignedIn,
  sendSignedIn,
  signOut
} from "../api/Session.ts"
import { Facts } from "../components/Facts.tsx"
import { Failed } from "../components/Failed.tsx"
import { Field, fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { Skeleton } from "../shell/Shell.tsx"
import { accountFailure, Step, type Worded } from "./Step.tsx"

interface Person {
  readonly email: string
  readonly name: string
  readonly is_driver: boolean
}

interface Account {
  readonly person: Person
  readonly businesses: ReadonlyArray<BusinessChoice>
}

const readAccount = async (): Promise<Account> => {
  const [person, businesses] = await Promise.all([
    sendSignedIn<Person>("/me"),
    sendSignedIn<ReadonlyArray<BusinessChoice>>("/me/businesses")
  ])
  return { person, businesses }
}

const Choices = ({
  businesses,
  onChoice,
  words
}: Worded & Pick<Account, "businesses"> & { readonly onChoice: (id: number) => void }) => (
  <Step title={words.chooseBusiness}>
    <ul class="choices">
      {businesses.map(({ business_id, business_name }) => (
        <li key={business_id}>
          <button type="button" class="button" onClick={() => onChoice(business_id)}>
            <bdi>{business_name}</bdi>
          </button>
        </li>
      ))}
    </ul>
    <SignOut words={words} />
  </Step>
)

const FirstBusiness = ({ onCreated, words }: Worded & { readonly onCreated: () => Promise<void> }) => (
  <Step title={words.firstBusiness}>
    <Form
      submit={words.createBusiness}
      words={words}
      onSubmit={async (typed, key) => {
        const headers = { "Content-Type": "application/json", "Idempotency-Key": key }
        await sendSignedIn("/me/businesses", { method: "POST", headers, body: JSON.stringify(typed) })
        await onCreated()
      }}
      explain={(failure) => accountFailure(failure, words)}
    >
      {(failure) => (
        <Field label={words.businessName} error={fieldError(failure, "business_name", words)}>
          {(control) => (
            <input {...control} name="business_name" dir="auto" autocomplete="organization" required />
          )}
        </Field>
      )}
    </Form>
    <SignOut words={words} />
  </Step>
)

const SignOut = ({ words }: Worded) => (
  <p class="ways">
    <button type="button" class="link" onClick={() => void signOut()}>
      {words.signOut}
    </button>
  </p>
)

export const Home = ({ words }: Worded): JSX.Element => {
  const [account, setAccount] = useState<Account>()
  const [failure, setFailure] = useState<Failure>()
  const [chosen, setChosen] = useState(actingBusiness())

  const load = async () => {
    setFailure(undefined)
    try {
      const found = await readAccount()
      setAccount(found)
      const [only, ...others] = found.businesses
      if (only !== undefined && others.length === 0) choose(only.business_id)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.status === 401) isSignedIn.value = false
      else setFailure(error)
    }
  }
  const choose = (id: number | undefined) => {
    if (id !== undefined) chooseBusiness(id)
    setChosen(id)
  }
  useEffect(() => void load(), [])

  if (failure !== undefined)
    return <Failed failure={failure} words={words} gone={words.ended} retry={() => void load()} />
  if (account === undefined) return <Skeleton heights={[220]} words={words} />
  const { businesses, person } = account
  if (businesses.length === 0 && !person.is_driver) return <FirstBusiness words={words} onCreated={load} />
  const business = businesses.find(({ business_id }) => business_id === chosen)
  if (business === undefined && businesses.length > 0)
    return <Choices words={words} businesses={businesses} onChoice={choose} />
  return (
    <Step title={words.signedIn}>
      <Facts
        facts={[
          [words.account, <bdi key="email">{person.email}</bdi>],
          [words.business, <bdi key="business">{business?.business_name}</bdi>]
        ]}
      />
      {person.is_driver && (
        <a class="button primary" href="./drive">
          {words.jobs}
        </a>
      )}
      {businesses.length > 1 && (
        <button type="button" class="button" onClick={() => choose(undefined)}>
          {words.changeBusiness}
        </button>
      )}
      <SignOut words={words} />
    </Step>
  )
}
