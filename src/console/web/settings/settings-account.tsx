import { post } from '../data/http.ts'
import { Form, NewPasswordField, TextField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { notify } from '../parts/notes.tsx'
import { t } from '../text/texts.ts'
import { CalendarSettings } from './settings-calendar.tsx'
import { LanguageSettings } from './settings-language.tsx'
import { ProfileSettings } from './settings-profile.tsx'
import { SessionSettings } from './settings-sessions.tsx'
import { ThemeSettings } from './settings-theme.tsx'

const blank = { current_password: '', new_password: '' }

/** The signed-in user's account. */
export function Account() {
  return (
    <>
      <ProfileSettings />
      <section class="card" aria-label={t('Password')}>
        <header>
          <h2>{t('Password')}</h2>
        </header>
        <div class="body">
          <PasswordForm />
        </div>
      </section>
      <ThemeSettings />
      <LanguageSettings />
      <CalendarSettings />
      <SessionSettings />
    </>
  )
}

function PasswordForm() {
  const form = useForm({
    initial: blank,
    save: (values) => post('/console/password', values),
    onSaved() {
      form.set(blank)
      notify(t('Password changed. All your other sessions are signed out.'))
    },
  })
  return (
    <Form of={form} verb={t('Change password')}>
      <div class="fields">
        <TextField
          label={t('Current password')}
          type="password"
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <NewPasswordField label={t('New password')} {...form.field('new_password')} />
      </div>
    </Form>
  )
}
