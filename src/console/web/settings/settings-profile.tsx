import type { User } from '../../../access/user.ts'
import { patch } from '../data/http.ts'
import { Form, TextField } from '../forms/form.tsx'
import { useDiscardQuestion } from '../forms/form-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { Card } from '../parts/card.tsx'
import { notify } from '../parts/notes.tsx'
import { session } from '../session/session.ts'
import { word } from '../text/format.ts'
import { t } from '../text/texts.ts'

/** The signed-in user's name and email. Another email needs the password, since it is what the user signs in with. */
export function ProfileSettings() {
  const { user } = session.value!
  return (
    <Card label={t('You')} beside={<span class="badge">{word(user.role)}</span>}>
      <div class="body">
        <ProfileForm key={user.updated_at} of={user} />
      </div>
    </Card>
  )
}

function ProfileForm({ of: { full_name, email } }: { of: User }) {
  const form = useForm({
    initial: { full_name, email, current_password: '' },
    save: (values, changed) =>
      patch<User>('/console/account', values.email === email ? { full_name: values.full_name } : changed),
    onSaved(user) {
      session.value = { ...session.value!, user }
      notify(t('Saved.'))
    },
  })
  useDiscardQuestion(form)
  return (
    <Form of={form} verb={t('Save')}>
      <div class="fields">
        <TextField label={t('Full name')} autoComplete="name" {...form.field('full_name')} />
        <TextField label={t('Email')} type="email" autoComplete="email" {...form.field('email')} />
        {form.values.email !== email && (
          <TextField
            label={t('Your password')}
            type="password"
            autoComplete="current-password"
            hint={t('You sign in with your email, so a new one needs your password')}
            {...form.field('current_password')}
          />
        )}
      </div>
    </Form>
  )
}
