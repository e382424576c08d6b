import { deleteDrafts } from '../drafts.ts'
import { post, remove } from '../http.ts'
import { inEnvironment } from '../place.ts'
import { session } from '../session.ts'
import { t } from '../texts.ts'
import { ask } from './dialog.tsx'
import { Form, NewPasswordField, TextField } from './form.tsx'
import { notify } from './notes.tsx'
import { CalendarSettings } from './settings-calendar.tsx'
import { useForm } from './use-form.ts'

const blank = { current_password: '', new_password: '' }

/** The signed-in user's account: the password and the sessions. */
export function Account() {
  const { full_name, email, role } = session.value!.user
  return (
    <>
      <section class="card" aria-label={t('You')}>
        <dl class="facts body">
          <dt>{t('Name')}</dt>
          <dd>{full_name}</dd>
          <dt>{t('Email')}</dt>
          <dd>{email}</dd>
          <dt>{t('Role')}</dt>
          <dd>{role}</dd>
        </dl>
      </section>
      <section class="card" aria-label={t('Password')}>
        <header>
          <h2>{t('Password')}</h2>
        </header>
        <div class="body">
          <PasswordForm />
        </div>
      </section>
      <CalendarSettings />
      <section class="card padded row apart" aria-label={t('Sessions')}>
        <p>{t('Still signed in on a device that you no longer use?')}</p>
        <button type="button" class="button danger" onClick={askSignOut}>
          {t('Sign out everywhere')}
        </button>
      </section>
    </>
  )
}

function askSignOut(): void {
  ask({
    title: t('Sign out everywhere?'),
    body: t('You have to sign in again in every browser, including this one.'),
    verb: t('Sign out everywhere'),
    async run() {
      await remove('/console/sessions')
      deleteDrafts()
      location.assign(inEnvironment('/', 'live'))
    },
  })
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
