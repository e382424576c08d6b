import { Pencil } from 'lucide'
import type { Invitation } from '../../../access/invitation.ts'
import type { Role } from '../../../access/role.ts'
import type { User } from '../../../access/user.ts'
import { remove } from '../data/http.ts'
import { ask } from '../parts/dialog.tsx'
import { single } from '../parts/single-click.ts'
import { Tool } from '../parts/tool.tsx'
import { Moment } from '../parts/value.tsx'
import { fieldOf, session } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'

interface UserRowProps {
  user: User
  onChange: (user: User, body: object) => Promise<void>
  /** The link that has not been used. */
  link: Invitation | undefined
  onEdit: () => void
  onInvite: () => void
  onRevoked: () => void
}

/** A user in the list of users, with the state of the link to choose a password. */
export function UserRow({ user, link, onChange, onEdit, onInvite, onRevoked }: UserRowProps) {
  const { id, full_name, email, is_active } = user
  const isSelf = id === session.value!.user.id
  const mayChange = offeredRoles().includes(user.role)
  const deactivate = () =>
    ask({
      title: t('Deactivate {full_name}?', { full_name }),
      body: t(
        'The user is signed out everywhere and cannot sign in again. Personal keys are revoked permanently. The user’s records and activities stay.',
      ),
      verb: t('Deactivate'),
      run: () => onChange(user, { is_active: false }),
    })
  const changeRole = (role: Role) =>
    ask({
      title: t('Change the role of {full_name}?', { full_name }),
      body: t('{from} becomes {to}, at once.', { from: word(user.role), to: word(role) }),
      verb: t('Change role'),
      run: () => onChange(user, { role }),
    })
  const revoke = () =>
    ask({
      title: t('Revoke the link of {full_name}?', { full_name }),
      body: t('The link stops working at once. You can create another one.'),
      verb: t('Revoke'),
      async run() {
        await remove(`/console/users/${id}/invitation`)
        onRevoked()
      },
    })
  return (
    <li class="middle wraps">
      <div class="grow">
        <div>
          {full_name} {isSelf && <span class="muted">{t('(you)')}</span>}{' '}
          {!is_active && <span class="badge warn">{t('Deactivated')}</span>}
        </div>
        <div class="muted small">{email}</div>
        {link && (
          <div class="muted small">
            {link.is_expired ? t('Password link expired') : t('Password link not used yet, expires')}{' '}
            <Moment at={link.expires_at} />
          </div>
        )}
      </div>
      <RoleSelect user={user} disabled={isSelf || !is_active || !mayChange} onChange={changeRole} />
      {mayChange && <Tool icon={Pencil} label={t('Edit {name}', { name: full_name })} onClick={onEdit} />}
      {mayChange && !isSelf && is_active && (
        <>
          <RowButton label={link ? t('New link') : t('Password link')} of={user} onClick={onInvite} />
          {link && !link.is_expired && <RowButton label={t('Revoke link')} of={user} onClick={revoke} />}
          <RowButton label={t('Deactivate')} of={user} danger onClick={deactivate} />
        </>
      )}
      {mayChange && !is_active && (
        <RowButton label={t('Activate')} of={user} onClick={() => onChange(user, { is_active: true })} />
      )}
    </li>
  )
}

/** The roles that the signed-in user gives, and whose users that one changes: only owners manage owners. */
export function offeredRoles(): readonly string[] {
  const { role } = session.value!.user
  return fieldOf('user', 'role').options!.filter((each) => each !== 'owner' || role === 'owner')
}

interface RowButtonProps {
  label: string
  of: User
  danger?: boolean
  onClick: () => void
}

/** Each user has such a button: its name says whose it is. */
function RowButton({ label, of, danger, onClick }: RowButtonProps) {
  return (
    <button type="button" class={danger ? 'button small danger' : 'button small'} onClick={single(onClick)}>
      {label}
      <span class="unseen"> {of.full_name}</span>
    </button>
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
      onChange={({ currentTarget }) => {
        const chosen = currentTarget.value as Role
        currentTarget.value = user.role // until it is confirmed
        onChange(chosen)
      }}
    >
      {[...new Set([...offeredRoles(), user.role])].map((option) => (
        <option key={option} value={option}>
          {word(option)}
        </option>
      ))}
    </select>
  )
}
