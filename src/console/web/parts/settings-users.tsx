import { useState } from 'preact/hooks'
import type { Role } from '../../../access/role.ts'
import type { User } from '../../../access/user.ts'
import { word } from '../format.ts'
import { get, patch, post } from '../http.ts'
import type { Values } from '../merge.ts'
import { publicUrl } from '../place.ts'
import { fieldOf, session } from '../session.ts'
import { t } from '../texts.ts'
import { useData } from '../use-data.ts'
import { ask, Dialog } from './dialog.tsx'
import { FieldInput } from './field-input.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ListCard } from './list-card.tsx'
import { notify } from './notes.tsx'
import { Secret } from './secret.tsx'
import { useForm } from './use-form.ts'

interface Invited {
  user: User
  /** The token of the link. */
  invitation: string
}

/** The users and their roles. */
export function Users() {
  const loaded = useData((signal) => get<User[]>('/console/users', signal), [])
  const [adding, setAdding] = useState(false)
  const [invited, setInvited] = useState<Invited>()
  const change = async (user: User, body: object) => {
    try {
      await patch(`/console/users/${user.id}`, body)
    } catch (error) {
      notify((error as Error).message)
    }
    loaded.reload()
  }
  return (
    <ListCard label={t('Users')} verb={t('Add user')} onAdd={() => setAdding(true)} loaded={loaded}>
      <ul class="list">
        {loaded.data?.map((user) => (
          <UserRow key={user.id} user={user} onChange={change} onInvited={setInvited} />
        ))}
      </ul>
      {adding && (
        <UserForm
          onClose={() => setAdding(false)}
          onSaved={(created) => {
            setAdding(false)
            setInvited(created)
            loaded.reload()
          }}
        />
      )}
      {invited && <InvitationLink {...invited} onClose={() => setInvited(undefined)} />}
    </ListCard>
  )
}

interface UserRowProps {
  user: User
  onChange: (user: User, body: object) => Promise<void>
  onInvited: (invited: Invited) => void
}

function UserRow({ user, onChange, onInvited }: UserRowProps) {
  const { id, full_name, email, is_active } = user
  const isSelf = id === session.value!.user.id
  const deactivate = () =>
    ask({
      title: t('Deactivate {full_name}?', { full_name }),
      body: t(
        'The user is signed out everywhere and cannot sign in again. Personal keys are revoked permanently. The user’s records and activities stay.',
      ),
      verb: t('Deactivate'),
      run: () => onChange(user, { is_active: false }),
    })
  const invite = async () => {
    try {
      const { invitation } = await post<{ invitation: string }>(`/console/users/${id}/invitation`)
      onInvited({ user, invitation })
    } catch (error) {
      notify((error as Error).message)
    }
  }
  return (
    <li class="middle wraps">
      <div class="grow">
        <div>
          {full_name} {isSelf && <span class="muted">{t('(you)')}</span>}{' '}
          {!is_active && <span class="badge warn">{t('Deactivated')}</span>}
        </div>
        <div class="muted small">{email}</div>
      </div>
      <RoleSelect user={user} disabled={isSelf || !is_active} onChange={(role) => onChange(user, { role })} />
      {!isSelf && is_active && (
        <>
          <button type="button" class="button small" onClick={invite}>
            {t('Password link')}
          </button>
          <button type="button" class="button small danger" onClick={deactivate}>
            {t('Deactivate')}
          </button>
        </>
      )}
      {!is_active && (
        <button type="button" class="button small" onClick={() => onChange(user, { is_active: true })}>
          {t('Activate')}
        </button>
      )}
    </li>
  )
}

interface RoleSelectProps {
  user: User
  disabled: boolean
  onChange: (role: Role) => void
}

function RoleSelect({ user, disabled, onChange }: RoleSelectProps) {
  return (
    <select
      class="input fitting"
      aria-label={t('Role of {full_name}', { full_name: user.full_name })}
      value={user.role}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
    >
      {fieldOf('user', 'role').options!.map((option) => (
        <option key={option} value={option}>
          {word(option)}
        </option>
      ))}
    </select>
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
          field={fieldOf('user', name)}
          {...form.field(name)}
          autoFocus={at === 0}
          {...(name === 'role' && { hint: t('Members work with records; admins also with users, keys and stages') })}
        />
      ))}
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
