/** The members of the business: their roles, and invitations. */
import type { Member, MemberInvitation, MemberRole } from "@livery/client"
import type { JSX } from "preact"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { failureOf } from "../../api/Failure.ts"
import { failureText } from "../../components/Failed.tsx"
import { Form } from "../../components/Form.tsx"
import { toast } from "../../components/Toast.tsx"
import { fill } from "../../i18n/Format.ts"
import { api } from "../Api.ts"
import { momentOf } from "../Formats.ts"
import { mayWrite } from "../Member.ts"
import { usePages } from "../parts/Pages.ts"
import { RecordFields } from "../parts/Record.tsx"
import { Removal } from "../parts/Removal.tsx"
import { Table } from "../parts/Table.tsx"
import { changed } from "../Undo.ts"
import type { SettingsWords } from "./words/en.ts"

type Worded = { readonly words: SettingsWords }

const roles = ["owner", "dispatcher", "accountant", "viewer"] as const

/** Changes a role at once; a refusal is said, and the role stays. */
const Role = ({
  member,
  onChange,
  words
}: Worded & { readonly member: Member; readonly onChange: () => void }) => {
  const [refusals, setRefusals] = useState(0)
  const set = (role: MemberRole) => api.staff.update({ user_id: member.user_id, role })
  const change = async (role: MemberRole) => {
    try {
      await set(role)
      onChange()
      changed(words.saved, words, async () => {
        await set(member.role)
        onChange()
      })
    } catch (error) {
      toast(failureText(failureOf(error), words))
      setRefusals(refusals + 1)
    }
  }
  return (
    <select
      key={refusals}
      aria-label={`${words.role}: ${member.name}`}
      value={member.role}
      onChange={({ currentTarget }) => void change(currentTarget.value as MemberRole)}
    >
      {roles.map((role) => (
        <option key={role} value={role}>
          {words[role]}
        </option>
      ))}
    </select>
  )
}

const Invite = ({ onInvite, words }: Worded & { readonly onInvite: () => void }) => {
  const [sent, setSent] = useState(0)
  const card = useRef<HTMLElement>(null)
  // The next member can be typed at once.
  useLayoutEffect(() => {
    if (sent > 0) card.current?.querySelector("input")?.focus()
  }, [sent])
  return (
    <section class="card record wide" aria-labelledby="invite" ref={card}>
      <h2 id="invite">{words.invite}</h2>
      <Form
        key={sent}
        submit={words.sendInvitation}
        words={words}
        onSubmit={async ({ email = "", name = "", role = "" }) => {
          await api.staff.invite({ email, role: role as MemberRole, ...(name !== "" && { name }) })
          toast(fill(words.invited, { email }))
          setSent(sent + 1)
          onInvite()
        }}
      >
        {(failure) => (
          <RecordFields
            failure={failure}
            words={words}
            fields={[
              { name: "email", label: words.email, value: "", kind: "email", isRequired: true },
              { name: "name", label: words.name, value: "" },
              {
                name: "role",
                label: words.role,
                value: "dispatcher",
                isRequired: true,
                options: roles.map((role) => [role, words[role]] as const)
              }
            ]}
          />
        )}
      </Form>
    </section>
  )
}

export const Members = ({ words }: Worded): JSX.Element => {
  const list = useRef<HTMLElement>(null)
  const members = usePages<Member>("members", () => api.staff.list({ per_page: 100 }))
  const invitations = usePages<MemberInvitation>("invitations", () =>
    api.staff.invitations({ per_page: 100 })
  )
  const again = () => {
    members.reading.reload()
    invitations.reading.reload()
  }
  const [removing, setRemoving] = useState<Member | MemberInvitation>()
  const isRemoved = useRef(false)
  // The button that asked goes with its row.
  useLayoutEffect(() => {
    if (removing === undefined && isRemoved.current) list.current?.focus()
    isRemoved.current = false
  }, [removing])
  const mayEdit = mayWrite("members")
  const remove = (row: Member | MemberInvitation, name: string) =>
    mayEdit && (
      <button type="button" class="button small-button" onClick={() => setRemoving(row)}>
        {words.remove}
        <span class="unseen"> {name}</span>
      </button>
    )
  return (
    <>
      <section class="wide stack" aria-label={words.members} tabIndex={-1} ref={list}>
        <Table
          label={words.members}
          pages={members}
          keyOf={({ user_id }) => user_id}
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
              name: "role",
              label: words.role,
              cell: (member) =>
                mayEdit ? <Role member={member} onChange={again} words={words} /> : words[member.role]
            },
            { name: "remove", label: words.actions, cell: (member) => remove(member, member.name) }
          ]}
        />
      </section>
      {(invitations.reading.data?.rows.length ?? 0) > 0 && (
        <section class="wide stack" aria-labelledby="invitations">
          <h2 id="invitations">{words.invitations}</h2>
          <Table
            label={words.invitations}
            pages={invitations}
            keyOf={({ created_at }) => Date.parse(created_at)}
            empty={null}
            words={words}
            columns={[
              { name: "email", label: words.email, cell: ({ email }) => <bdi>{email}</bdi> },
              { name: "name", label: words.name, cell: ({ name }) => <bdi>{name}</bdi> },
              { name: "role", label: words.role, cell: ({ role }) => words[role] },
              { name: "until", label: words.validUntil, cell: ({ expires_at }) => momentOf(expires_at) },
              { name: "remove", label: words.actions, cell: (row) => remove(row, row.email) }
            ]}
          />
        </section>
      )}
      {mayEdit && <Invite onInvite={again} words={words} />}
      {removing !== undefined && (
        <Removal
          name={removing.name ?? removing.email}
          words={words}
          onClose={() => setRemoving(undefined)}
          onRemove={async () => {
            await ("user_id" in removing
              ? api.staff.remove({ user_id: removing.user_id })
              : api.staff.revoke({ email: removing.email }))
            toast(fill(words.deleted, { name: removing.name ?? removing.email }))
            isRemoved.current = true
            again()
          }}
        />
      )}
    </>
  )
}
