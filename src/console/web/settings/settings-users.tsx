import { useState } from 'preact/hooks'
import type { Invitation } from '../../../access/invitation.ts'
import type { User } from '../../../access/user.ts'
import type { Values } from '../data/form-merge.ts'
import { get, patch, post } from '../data/http.ts'
import { useNews } from '../data/news.ts'
import { useData } from '../data/use-data.ts'
import { useReturn } from '../data/use-return.ts'
import { FieldInput } from '../forms/field-input.tsx'
import { FormDialog } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ListCard } from '../parts/list-card.tsx'
import { notify } from '../parts/notes.tsx'
import { Secret } from '../parts/secret.tsx'
import { publicUrl } from '../session/place.ts'
import { fieldOf, session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { offeredRoles, UserRow } from './user-row.tsx'

interface Invited {
  user: User
  /** The token of the link. */
  invitation: string
}

/** The users and their roles. */
export function Users() {
  const loaded = useData((signal) => get<User[]>('/console/users', signal), [])
  const links = useData((signal) => get<Invitation[]>('/console/invitations', signal), [])
  const reload = () => {
    loaded.reload()
    links.reload()
  }
  const refresh = () => Promise.all([loaded.refresh(), links.refresh()])
  useNews(({ resource }) => resource === 'user', refresh)
  useReturn(refresh) // links are not in the log of changes, and users only in that of live data
  const [edited, setEdited] = useState<User>()
  const [adding, setAdding] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  const change = async (user: User, body: object) => {
    try {
      await patch(`/console/users/${user.id}`, body)
    } catch (error) {
      notify((error as Error).message)
    }
    reload()
  }
  const invite = async (user: User) => {
    try {
      const { invitation } = await post<{ invitation: string }>(`/console/users/${user.id}/invitation`)
      setInvited({ user, invitation })
    } catch (error) {
      notify((error as Error).message)
    }
    links.reload()
  }
  return (
    <ListCard label={t('Users')} verb={t('Add user')} onAdd={() => setAdding(true)} loaded={loaded}>
      <ul class="list">
        {loaded.data?.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            link={links.data?.find(({ user_id }) => user_id === user.id)}
            onChange={change}
            onEdit={() => setEdited(user)}
            onInvite={() => invite(user)}
            onRevoked={links.reload}
          />
        ))}
      </ul>
      {adding && (
        <UserForm
          onClose={() => setAdding(false)}
          onSaved={(created) => {
            setAdding(false)
            setInvited(created)
            reload()
          }}
        />
      )}
      {edited && (
        <UserEditor
          user={edited}
          onClose={() => setEdited(undefined)}
          onSaved={() => {
            setEdited(undefined)
            reload()
          }}
        />
      )}
      {invited && <InvitationLink {...invited} onClose={() => setInvited(undefined)} />}
    </ListCard>
  )
}

function UserForm({ onSaved, onClose }: { onSaved: (created: Invited) => void; onClose: () => void }) {
  const form = useForm<Values, Invited>({
    initial: { full_name: '', email: '', role: 'member' },
    save: (values) => post<Invited>('/console/users', values),
    onSaved,
    onLate(created) {
      if (created instanceof Error) notify(t('User not added: {message}', { message: created.message }))
      else onSaved(created)
    },
  })
  return (
    <FormDialog title={t('Add user')} small verb={t('Add user')} {...{ of: form, onClose }}>
      {['full_name', 'email', 'role'].map((name, at) => (
        <FieldInput
          key={name}
          field={{ ...fieldOf('user', name), ...(name === 'role' && { options: offeredRoles() }) }}
          {...form.field(name)}
          autoFocus={at === 0}
          {...(name === 'role' && { hint: t('Members work with records; admins also with users, keys and stages') })}
        />
      ))}
    </FormDialog>
  )
}

/** Changes the name, and the email of somebody else. */
function UserEditor({ user, onSaved, onClose }: { user: User; onSaved: () => void; onClose: () => void }) {
  const { id, full_name, email } = user
  const form = useForm<Values, User>({
    initial: { full_name, email },
    save: (_, changed) => patch<User>(`/console/users/${id}`, changed),
    onSaved(saved) {
      if (id === session.value!.user.id) session.value = { ...session.value!, user: saved }
      notify(t('Saved.'))
      onSaved()
    },
  })
  return (
    <FormDialog title={t('Edit {name}', { name: full_name })} small verb={t('Save')} {...{ of: form, onClose }}>
      <FieldInput field={fieldOf('user', 'full_name')} {...form.field('full_name')} autoFocus />
      {id !== session.value!.user.id && (
        <FieldInput
          field={fieldOf('user', 'email')}
          {...form.field('email')}
          hint={t('The user signs in with the new email from now on. An open link ends: create a new one.')}
        />
      )}
    </FormDialog>
  )
}

/** Shows the link that the admin who adds a user passes on: no email is sent. */
function InvitationLink({ user, invitation, onClose }: Invited & { onClose: () => void }) {
  return (
    <Dialog title={t('A link for {full_name}', { full_name: user.full_name })} onClose={onClose}>
      <p>
        {t('Send this link to {email}. It lets {full_name} choose a password: once, within seven days.', {
          email: user.email,
          full_name: user.full_name,
        })}
      </p>
      <Secret text={`${publicUrl}/invitation#${invitation}`} />
    </Dialog>
  )
}
