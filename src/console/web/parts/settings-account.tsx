import { deleteDrafts } from '../drafts.ts'
import { post, remove } from '../http.ts'
import { inEnvironment } from '../place.ts'
import { session } from '../session.ts'
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
      <section class="card" aria-label="You">
        <dl class="facts body">
          <dt>Name</dt>
          <dd>{full_name}</dd>
          <dt>Email</dt>
          <dd>{email}</dd>
          <dt>Role</dt>
          <dd>{role}</dd>
        </dl>
      </section>
      <section class="card" aria-label="Password">
        <header>
          <h2>Password</h2>
        </header>
        <div class="body">
          <PasswordForm />
        </div>
      </section>
      <CalendarSettings />
      <section class="card padded row apart" aria-label="Sessions">
        <p>Still signed in on a device that you no longer use?</p>
        <button type="button" class="button danger" onClick={askSignOut}>
          Sign out everywhere
        </button>
      </section>
    </>
  )
}

function askSignOut(): void {
  ask({
    title: 'Sign out everywhere?',
    body: 'You have to sign in again in every browser, including this one.',
    verb: 'Sign out everywhere',
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
      notify('Password changed. All your other sessions are signed out.')
    },
  })
  return (
    <Form of={form} verb="Change password">
      <div class="fields">
        <TextField
          label="Current password"
          type="password"
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <NewPasswordField label="New password" {...form.field('new_password')} />
      </div>
    </Form>
  )
}
