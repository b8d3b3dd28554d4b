/** What a signed-in person sees: the business to act for, the way to the jobs, and signing out. */
import type { JSX } from "preact"
import { useEffect, useState } from "preact/hooks"
import { Failure } from "../api/Failure.ts"
import { actingBusiness, isSignedIn } from "../api/Person.ts"
import { type BusinessChoice, chooseBusiness, sendSignedIn, signOut } from "../api/Session.ts"
import { Facts } from "../components/Facts.tsx"
import { Failed } from "../components/Failed.tsx"
import { Field, fieldError } from "../components/Field.tsx"
import { Form } from "../components/Form.tsx"
import { forgetAccounts } from "../drive/Store.ts"
import { Skeleton } from "../shell/Shell.tsx"
import { goBack } from "./WayBack.ts"
import { accountFailure, Step, type Worded } from "./Step.tsx"

interface Account {
  readonly email: string
  readonly isDriver: boolean
  /** Whether the person works in an office, or administers the platform. */
  readonly isMember: boolean
  readonly businesses: ReadonlyArray<BusinessChoice>
}

/** The account of a driver, which may use the routes of drivers alone. */
const readDriver = async (): Promise<Account> => {
  const driver = { email: "", isDriver: true, isMember: false }
  try {
    const { business } = await sendSignedIn<{ readonly business: BusinessChoice }>("/me/driver")
    return { ...driver, businesses: [business] }
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== "business_required") throw error
    return { ...driver, businesses: error.details as unknown as ReadonlyArray<BusinessChoice> }
  }
}

const readAccount = async (): Promise<Account> => {
  try {
    const person = await sendSignedIn<{ email: string; is_driver: boolean; account_type: string }>("/me")
    const businesses = await sendSignedIn<ReadonlyArray<BusinessChoice>>("/me/businesses")
    const isMember = businesses.length > 0 || person.account_type === "S"
    return { email: person.email, isDriver: person.is_driver, isMember, businesses }
  } catch (error) {
    if (!(error instanceof Failure) || error.type !== "forbidden") throw error
    return readDriver()
  }
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
    <button type="button" class="link" onClick={() => void Promise.all([signOut(), forgetAccounts()])}>
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
      if (found.isMember && (found.businesses.length === 0 || actingBusiness() !== undefined)) goBack()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (error.status === 401) isSignedIn.value = false
      else setFailure(error)
    }
  }
  const choose = (id: number | undefined) => {
    if (id !== undefined) chooseBusiness(id)
    setChosen(id)
    if (id !== undefined && account?.isMember === true) goBack()
  }
  useEffect(() => void load(), [])

  if (failure !== undefined)
    return <Failed failure={failure} words={words} gone={words.ended} retry={() => void load()} />
  if (account === undefined) return <Skeleton heights={[220]} words={words} />
  const { businesses, email, isDriver, isMember } = account
  if (businesses.length === 0 && !isDriver && !isMember)
    return <FirstBusiness words={words} onCreated={load} />
  const business = businesses.find(({ business_id }) => business_id === chosen)
  if (business === undefined && businesses.length > 0)
    return <Choices words={words} businesses={businesses} onChoice={choose} />
  return (
    <Step title={words.signedIn}>
      <Facts
        facts={[
          [words.account, email && <bdi key="email">{email}</bdi>],
          [words.business, <bdi key="business">{business?.business_name}</bdi>]
        ]}
      />
      {isMember && (
        <a class="button primary" href="./app">
          {words.office}
        </a>
      )}
      {isDriver && (
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
