import type { FunctionComponent } from 'preact'
import { Segments } from '../parts/segments.tsx'
import { useTitle } from '../parts/use-title.ts'
import { href } from '../session/place.ts'
import { t } from '../text/texts.ts'
import { Account } from './settings-account.tsx'
import { CompanySettings } from './settings-company.tsx'
import { DeclaredFields } from './settings-fields.tsx'
import { MailSettings } from './settings-mail.tsx'
import { type SectionName, settingsSections } from './settings-sections.ts'
import { Stages } from './settings-stages.tsx'
import { Users } from './settings-users.tsx'

const parts: Readonly<Record<SectionName, FunctionComponent>> = {
  account: Account,
  company: CompanySettings,
  stages: Stages,
  fields: DeclaredFields,
  mail: MailSettings,
  users: Users,
}

export function Settings({ section }: { section?: string }) {
  const offered = settingsSections()
  const current = offered.find(({ name }) => name === section) ?? offered[0]!
  useTitle(current.label)
  const Section = parts[current.name]
  return (
    <div class="page narrow">
      <h1>{t('Settings')}</h1>
      <Segments label={t('Settings')} links>
        {offered.map(({ name, label }) => (
          <a key={name} href={href(`/settings/${name}`)} aria-current={name === current.name}>
            {label}
          </a>
        ))}
      </Segments>
      <Section />
    </div>
  )
}
