import { useLocation } from 'preact-iso/router'
import { post } from '../data/http.ts'
import { enter } from '../data/load-session.ts'
import { useData } from '../data/use-data.ts'
import { Form, NewPasswordField, TextField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { ErrorNotice } from '../parts/error-notice.tsx'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { Gate } from './gate.tsx'
import { useToken } from './use-token.ts'

/** The first run: the link that the server printed leads here to create the company and its owner. */
export function Setup() {
  const token = useToken()
  const { data, error } = useData(
    () => post<{ company_name: string | null }>('/console/setup/check', { token }),
    [token],
  )
  if (error) {
    return (
      <Gate title={t('Set up Kontor')}>
        <ErrorNotice error={error} />
      </Gate>
    )
  }
  if (!data) return null
  return (
    <Gate
      title={t('Set up Kontor')}
      lead={
        data.company_name === null
          ? t('Create your company and your account as its owner. You can add colleagues later in the settings.')
          : t(
              'The company is there. Name it, and create your account as its owner. You can add colleagues later in the settings.',
            )
      }
    >
      <SetupForm key={token} token={token} company={data.company_name} />
    </Gate>
  )
}

function SetupForm({ token, company }: { token: string; company: string | null }) {
  const { route } = useLocation()
  const form = useForm({
    initial: { company_name: company ?? '', full_name: '', email: '', password: '' },
    async save(values) {
      await post('/console/setup', { token, ...values })
      await enter()
    },
    onSaved: () => route(href('/'), true),
  })
  return (
    <Form of={form} verb={t('Set up')}>
      <TextField label={t('Company')} autoComplete="organization" autoFocus {...form.field('company_name')} />
      <TextField label={t('Your name')} autoComplete="name" {...form.field('full_name')} />
      <TextField label={t('Email')} type="email" autoComplete="username" {...form.field('email')} />
      <NewPasswordField label={t('Password')} {...form.field('password')} />
    </Form>
  )
}
