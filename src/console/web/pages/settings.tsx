import type { FunctionComponent } from 'preact'
import { Segments } from '../parts/segments.tsx'
import { Account } from '../parts/settings-account.tsx'
import { CompanySettings } from '../parts/settings-company.tsx'
import { DeclaredFields } from '../parts/settings-fields.tsx'
import { Stages } from '../parts/settings-stages.tsx'
import { Users } from '../parts/settings-users.tsx'
import { href } from '../place.ts'
import { type SectionName, settingsSections } from '../settings-sections.ts'
import { t } from '../texts.ts'
import { useTitle } from '../use-title.ts'

const parts: Readonly<Record<SectionName, FunctionComponent>> = {
  account: Account,
  company: CompanySettings,
  stages: Stages,
  fields: DeclaredFields,
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
