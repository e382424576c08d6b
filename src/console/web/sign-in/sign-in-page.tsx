import { useState } from 'preact/hooks'
import { ApiError } from '../../../errors.ts'
import { get, post } from '../data/http.ts'
import { enter } from '../data/load-session.ts'
import { useData } from '../data/use-data.ts'
import { Form, TextField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Dialog } from '../parts/dialog.tsx'
import { T } from '../parts/rich-text.tsx'
import { inEnvironment } from '../session/place.ts'
import { ended, type SessionData, session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { Gate } from './gate.tsx'

interface NamedCompany {
  id: string
  name: string
}

/** While no user exists, says how to create the first one. */
export function SignIn() {
  const { data } = useData((signal) => get<{ needed: boolean }>('/console/setup', signal), [])
  if (data?.needed) {
    return (
      <Gate title={t('Set up Kontor')} lead={t('This server has no users yet. A link creates the first one.')}>
        <p>
          <T
            text="The link is in the message that the server printed when it started. {command} on the server makes a new one."
            command={<code>kontor setup-link</code>}
          />
        </p>
      </Gate>
    )
  }
  return (
    <Gate title={t('Sign in')}>
      <SignInForm onSignedIn={() => void enter()} />
    </Gate>
  )
}

/** Shown over the page when the session has ended. The page stays as it is if the same user signs in. */
export function SignInAgain() {
  const { id } = session.value!.user
  const goOn = async (back: SessionData) => {
    if (back.user.id !== id) return location.assign(inEnvironment('/', 'live'))
    const { resolve } = ended.value!
    session.value = { ...session.value!, notices: back.notices }
    ended.value = undefined
    resolve()
  }
  return (
    <Dialog title={t('Your session has ended')} small>
      <p>{t('Sign in again to continue. Your unsaved changes are kept.')}</p>
      <SignInForm known={session.value!} onSignedIn={goOn} />
    </Dialog>
  )
}

interface SignInFormProps {
  /** The user whose session has ended. Signing in again leads back to the company of the page. */
  known?: SessionData
  onSignedIn: (back: SessionData) => void
}

function SignInForm({ known, onSignedIn }: SignInFormProps) {
  const [companies, setCompanies] = useState<NamedCompany[]>()
  const form = useForm({
    initial: { email: known?.user.email ?? '', password: '', company_id: undefined as string | undefined },
    async save(values) {
      const back = values.email.trim().toLowerCase() === known?.user.email.toLowerCase() ? known.company : undefined
      const body = { ...values, company_id: values.company_id ?? back?.id }
      const response = await post<SessionData | { companies: NamedCompany[] }>('/console/session', body)
      if ('user' in response) return response
      if (back) throw new ApiError('UNAUTHORIZED', t('This is not your password for {name}.', { name: back.name }))
      setCompanies(response.companies)
      throw new ApiError('INVALID_REQUEST', t('Choose the company.'))
    },
    onSaved: onSignedIn,
  })
  return (
    <Form of={form} verb={t('Sign in')}>
      <TextField label={t('Email')} type="email" autoComplete="username" {...form.field('email')} autoFocus={!known} />
      <TextField
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        {...form.field('password')}
        autoFocus={known !== undefined}
      />
      {companies && (
        <fieldset class="stack tight">
          <legend>{t('Company')}</legend>
          {companies.map(({ id, name }) => (
            <label class="check" key={id}>
              <input
                type="radio"
                name="company"
                checked={form.values.company_id === id}
                onChange={() => form.set({ company_id: id })}
              />
              {name}
            </label>
          ))}
        </fieldset>
      )}
    </Form>
  )
}
