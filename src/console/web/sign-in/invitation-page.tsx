import { useLocation } from 'preact-iso/router'
import { post } from '../data/http.ts'
import { enter } from '../data/load-session.ts'
import { useData } from '../data/use-data.ts'
import { Form, NewPasswordField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { Gate } from './gate.tsx'
import { useToken } from './use-token.ts'

interface Invited {
  full_name: string
  email: string
  company_name: string
}

/** Where a new user, or one who lost the password, chooses a password. */
export function Invitation() {
  const token = useToken()
  const { data, error } = useData(() => post<Invited>('/console/invitation', { token }), [token])
  if (error) {
    return (
      <Gate title={t('Choose a password')}>
        <ErrorNotice error={error} />
      </Gate>
    )
  }
  if (!data) return null
  return (
    <Gate
      title={t('Welcome, {full_name}', { full_name: data.full_name })}
      lead={t('Choose a password to join {company_name}.', { company_name: data.company_name })}
    >
      <PasswordForm key={token} token={token} email={data.email} />
    </Gate>
  )
}

function PasswordForm({ token, email }: { token: string; email: string }) {
  const { route } = useLocation()
  const form = useForm({
    initial: { password: '' },
    async save({ password }) {
      await post('/console/invitation/accept', { token, password })
      await enter()
    },
    onSaved: () => route(href('/'), true),
  })
  return (
    <Form of={form} verb={t('Save and sign in')}>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField label={t('Password')} {...form.field('password')} autoFocus />
    </Form>
  )
}
