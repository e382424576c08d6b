import { post } from '../data/http.ts'
import { Form, NewPasswordField, TextField } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { AddressCard } from '../mail/address-card.tsx'
import { Card } from '../parts/card.tsx'
import { notify } from '../parts/notes.tsx'
import { Segments } from '../parts/segments.tsx'
import { session } from '../session/session.ts'
import { chooseLanguage, chosenLanguage, type Language, languages } from '../text/locale.ts'
import { t } from '../text/texts.ts'
import { CalendarSettings } from './settings-calendar.tsx'
import { ProfileSettings } from './settings-profile.tsx'
import { SessionSettings } from './settings-sessions.tsx'
import { chooseTheme, type Theme, theme, themes } from './theme.ts'

const blank = { current_password: '', new_password: '' }

/** The signed-in user's account. */
export function Account() {
  return (
    <>
      <ProfileSettings />
      <AddressCard
        label={t('Your mail address')}
        about={t('Put it in BCC, or forward a mail to it: the mail appears at the contacts who are on it.')}
        verb={t('Create address')}
        owner={{ kind: 'user', user_id: session.value!.user.id }}
      />
      <Card label={t('Password')}>
        <div class="body">
          <PasswordForm />
        </div>
      </Card>
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

const labels: Readonly<Record<Theme, string>> = { system: t('As the system'), light: t('Light'), dark: t('Dark') }

/** The theme, which this browser remembers. */
function ThemeSettings() {
  return (
    <Card label={t('Appearance')}>
      <div class="body">
        <Segments label={t('Theme of this browser')}>
          {themes.map((each) => (
            <button key={each} type="button" aria-pressed={each === theme.value} onClick={() => chooseTheme(each)}>
              {labels[each]}
            </button>
          ))}
        </Segments>
      </div>
    </Card>
  )
}

/** Each language in its own words. */
const names: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

/** The language, which this browser remembers. The page is loaded again in it. */
function LanguageSettings() {
  const choose = (language: Language | undefined) => {
    chooseLanguage(language)
    location.reload()
  }
  return (
    <Card label={t('Language')}>
      <div class="body">
        <Segments label={t('Language of this browser')}>
          {[undefined, ...languages].map((each) => (
            <button
              key={each ?? ''}
              type="button"
              lang={each}
              aria-pressed={each === chosenLanguage()}
              onClick={() => choose(each)}
            >
              {each ? names[each] : t('As the browser')}
            </button>
          ))}
        </Segments>
      </div>
    </Card>
  )
}
