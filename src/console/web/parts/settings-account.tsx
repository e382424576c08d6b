import { forgetDrafts } from '../drafts.ts'
import { post, remove } from '../http.ts'
import { who } from '../session.ts'
import { ask } from './dialog.tsx'
import { Form, NewPasswordField, TextField } from './form.tsx'
import { tell } from './notes.tsx'
import { useForm } from './use-form.ts'

const blank = { current_password: '', new_password: '' }

/** The signed-in user's own: the password, and every place where the user is signed in. */
export function Account() {
  const { full_name, email, role } = who.value!.user
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
      <section class="card padded row apart" aria-label="Sessions">
        <p>Signed in somewhere you should not be?</p>
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
    body: 'Every browser where you are signed in has to sign in again, this one too.',
    verb: 'Sign out everywhere',
    async run() {
      await remove('/console/sessions')
      forgetDrafts()
      location.assign('/')
    },
  })
}

function PasswordForm() {
  const form = useForm({
    initial: blank,
    save: (values) => post('/console/password', values),
    onSaved() {
      form.set(blank)
      tell('The password is changed. You are signed out everywhere else.')
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
