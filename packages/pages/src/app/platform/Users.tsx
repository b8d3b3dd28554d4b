/** The users of the platform: the list, a new one, and one with its businesses and a new password. */
import type { AdminUser } from "@livery/client"
import type { JSX } from "preact"
import { useState } from "preact/hooks"
import { Facts } from "../../components/Facts.tsx"
import { Field, fieldError } from "../../components/Field.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { Filters, filtersOf } from "../parts/Filters.tsx"
import { Loaded, type Reading, useReading } from "../parts/Loaded.tsx"
import { usePages } from "../parts/Pages.ts"
import { RecordFields } from "../parts/Record.tsx"
import { Table } from "../parts/Table.tsx"
import { hrefOf, navigate } from "../Router.ts"
import type { PlatformWords } from "./words/en.ts"

type Worded = { readonly words: PlatformWords }

const NewUser = ({ words }: Worded) => (
  <section class="card record" aria-labelledby="new-user">
    <h2 id="new-user">{words.newUser}</h2>
    <Form
      submit={words.create}
      words={words}
      onSubmit={async ({ account_type, email = "", name = "", password = "" }, key) => {
        const user = await api.adminUsers.create(
          { name, email, password, account_type: account_type === "S" ? "S" : "A" },
          { idempotencyKey: key }
        )
        toast(fill(words.created, { name: user.name }))
        navigate(`/platform/users/${user.id}`)
      }}
    >
      {(failure) => (
        <>
          <RecordFields
            failure={failure}
            words={words}
            fields={[
              { name: "name", label: words.name, value: "", isRequired: true },
              { name: "email", label: words.email, value: "", kind: "email", isRequired: true },
              {
                name: "account_type",
                label: words.account,
                value: "A",
                isRequired: true,
                options: [
                  ["A", words.account_A],
                  ["S", words.account_S]
                ]
              }
            ]}
          />
          <Field label={words.password} error={fieldError(failure, "password", words)}>
            {(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
          </Field>
        </>
      )}
    </Form>
  </section>
)

export const Users = ({ words }: Worded): JSX.Element => {
  const { account_type, ...filters } = filtersOf(["search", "account_type"])
  const pages = usePages<AdminUser>(`users ${JSON.stringify({ account_type, ...filters })}`, () =>
    api.adminUsers.list({
      ...filters,
      per_page: 50,
      ...((account_type === "S" || account_type === "A") && { account_type })
    })
  )
  return (
    <>
      <Filters
        words={words}
        choices={[
          {
            name: "account_type",
            label: words.account,
            options: [
              ["A", words.account_A],
              ["S", words.account_S]
            ]
          }
        ]}
      />
      <Table
        label={words.users}
        pages={pages}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => hrefOf(`/platform/users/${id}`)}
        isFiltered={account_type !== undefined || Object.keys(filters).length > 0}
        empty={null}
        words={words}
        columns={[
          {
            name: "name",
            label: words.name,
            cell: ({ name }) => <bdi>{name}</bdi>,
            sort: ({ name }) => name
          },
          { name: "email", label: words.email, cell: ({ email }) => <bdi>{email}</bdi> },
          {
            name: "account",
            label: words.account,
            cell: ({ account_type: type }) => words[`account_${type}`]
          },
          { name: "since", label: words.since, cell: ({ created_at }) => momentOf(created_at) }
        ]}
      />
      <NewUser words={words} />
    </>
  )
}

const Password = ({ user, words }: Worded & { readonly user: AdminUser }) => {
  const [turn, setTurn] = useState(0)
  return (
    <section class="card record" aria-labelledby="password">
      <h2 id="password">{words.newPassword}</h2>
      <p class="muted">{words.newPasswordHelp}</p>
      <Form
        key={turn}
        submit={words.save}
        words={words}
        onSubmit={async ({ password = "" }) => {
          await api.adminUsers.resetPassword({ id: user.id, password })
          toast(words.saved)
          setTurn(turn + 1)
        }}
      >
        {(failure) => (
          <Field label={words.password} error={fieldError(failure, "password", words)}>
            {(control) => <input {...control} name="password" type="password" autoComplete="new-password" />}
          </Field>
        )}
      </Form>
    </section>
  )
}

const Assignment = ({
  reading,
  user,
  words
}: Worded & { readonly user: AdminUser; readonly reading: Reading<AdminUser> }) => (
  <section class="card record" aria-labelledby="assignment">
    <h2 id="assignment">{words.businesses}</h2>
    <p>
      {user.business_ids.length === 0
        ? words.none
        : user.business_ids.map((id) => (
            <a key={id} class="listed" href={hrefOf(`/platform/businesses/${id}`)}>
              {fill(words.businessNumber, { id: String(id) })}
            </a>
          ))}
    </p>
    <Form
      submit={words.save}
      words={words}
      onSubmit={async ({ action, business_id = "" }) => {
        const { business_ids } = await api.adminUsers.assignBusiness({
          id: user.id,
          business_id: business_id === "" ? (null as never) : Number(business_id),
          action: action === "unassign" ? "unassign" : "assign"
        })
        reading.set({ ...user, business_ids })
        toast(words.saved)
      }}
    >
      {(failure) => (
        <RecordFields
          failure={failure}
          words={words}
          fields={[
            {
              name: "business_id",
              label: words.numberOfBusiness,
              value: "",
              kind: "number",
              isRequired: true
            },
            {
              name: "action",
              label: words.actions,
              value: "assign",
              isRequired: true,
              options: [
                ["assign", words.assign],
                ["unassign", words.unassign]
              ]
            }
          ]}
        />
      )}
    </Form>
  </section>
)

export const UserRecord = ({ id, words }: Worded & { readonly id: number }): JSX.Element => {
  const reading = useReading(`user ${id}`, () => api.adminUsers.read({ id }))
  return (
    <Loaded reading={reading} words={words}>
      {(user) => (
        <>
          <h2>
            <bdi>{user.name}</bdi>
          </h2>
          <div class="record-grid">
            <section class="card record" aria-labelledby="details">
              <h2 id="details">{words.details}</h2>
              <Facts
                facts={[
                  [words.email, <bdi>{user.email}</bdi>],
                  [words.phone, user.mobile_phone],
                  [words.account, words[`account_${user.account_type}`]],
                  [words.emailVerified, user.email_verified ? words.yes : words.no],
                  [words.since, momentOf(user.created_at)]
                ]}
              />
            </section>
            <Assignment user={user} reading={reading} words={words} />
            <Password user={user} words={words} />
          </div>
        </>
      )}
    </Loaded>
  )
}
