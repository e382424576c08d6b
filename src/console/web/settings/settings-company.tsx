import { useRef } from 'preact/hooks'
import type { Company } from '../../../access/company.ts'
import type { Values } from '../data/form-merge.ts'
import { get, patch } from '../data/http.ts'
import { Form, TextField } from '../forms/form.tsx'
import { useDiscardQuestion } from '../forms/form-dialog.tsx'
import { type FormState, useForm } from '../forms/use-form.ts'
import { Card } from '../parts/card.tsx'
import { notify } from '../parts/notes.tsx'
import { T } from '../parts/rich-text.tsx'
import { SampleDataSettings } from '../parts/sample-data.tsx'
import { href } from '../session/place.ts'
import { isAdmin, resourceOf, type SessionData, session } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { BackupSettings } from './settings-backups.tsx'
import { DataLinks, PlanSettings } from './settings-plan.tsx'

export function CompanySettings() {
  return (
    <>
      <Card label={t('Company')}>
        <div class="body">{isAdmin() ? <NameForm /> : session.value!.company.name}</div>
      </Card>
      {isAdmin() && <PhoneNumbers />}
      {isAdmin() && <OneCurrency />}
      <PlanSettings />
      <DataLinks />
      <BackupSettings />
      {isAdmin() && <SampleDataSettings />}
    </>
  )
}

function NameForm() {
  const known = useRef(session.value!.company.name)
  const form = useForm({
    initial: { name: known.current },
    save: ({ name }) => patch<Company>('/console/company', { name, known_name: known.current }),
    async reread() {
      const { company } = await get<SessionData>('/console/session')
      known.current = company.name
      return { name: company.name }
    },
    onSaved(company) {
      known.current = company.name
      session.value = { ...session.value!, company }
      notify(t('Saved.'))
    },
  })
  useDiscardQuestion(form)
  return (
    <Form of={form} verb={t('Save')}>
      <TextField label={t('Name')} {...form.field('name')} />
    </Form>
  )
}

function PhoneNumbers() {
  const form = useCompanyForm({ phone_country: session.value!.company.phone_country ?? '' })
  return (
    <Card label={t('Phone numbers')}>
      <div class="body stack">
        <p class="muted small">
          <T
            text="With a country, a number is found however it is written: in Germany ({code}), {national} is {international}. Without one, numbers are compared by their digits."
            code={<code>DE</code>}
            national={<code>089 123456</code>}
            international={<code>+49 89 123456</code>}
          />
        </p>
        <Form of={form} verb={t('Save')}>
          <TextField
            label={t('Country code')}
            hint={t('Two letters, such as DE, AT or US. Empty: no country.')}
            optional
            {...form.field('phone_country')}
            onValue={(code) => form.set({ phone_country: code.toUpperCase() })}
          />
        </Form>
      </div>
    </Card>
  )
}

function OneCurrency() {
  const { currency, time_zone } = session.value!.company
  const form = useCompanyForm({ currency, time_zone })
  return (
    <Card label={t('Currency')}>
      <div class="body stack">
        <p class="muted small">
          {t('Deals in other currencies are added up in this one, by the exchange rates that are valid today.')}{' '}
          <a href={href(resourceOf('exchange_rate').page)}>{resourceOf('exchange_rate').plural}</a>
        </p>
        <Form of={form} verb={t('Save')}>
          <TextField
            label={t('Currency')}
            hint={t('Three letters, such as EUR, CHF or USD.')}
            {...form.field('currency')}
            onValue={(code) => form.set({ currency: code.toUpperCase() })}
          />
          <TextField
            label={t('Time zone')}
            hint={t('Such as Europe/Berlin: rates become valid at midnight there.')}
            {...form.field('time_zone')}
          />
        </Form>
      </div>
    </Card>
  )
}

/** A form of members of the company. Those that have changed are saved: a colleague may have changed the others meanwhile. */
function useCompanyForm<T extends Values>(initial: T): FormState<T> {
  const form = useForm<T, Company>({
    initial,
    save: async (_, changed) =>
      Object.keys(changed).length > 0 ? patch<Company>('/console/company', changed) : session.value!.company,
    onSaved(company) {
      session.value = { ...session.value!, company }
      notify(t('Saved.'))
    },
  })
  useDiscardQuestion(form)
  return form
}
