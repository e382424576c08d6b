import { Segments } from '../parts/segments.tsx'
import { Account } from '../parts/settings-account.tsx'
import { CompanySettings } from '../parts/settings-company.tsx'
import { DeclaredFields } from '../parts/settings-fields.tsx'
import { Stages } from '../parts/settings-stages.tsx'
import { Users } from '../parts/settings-users.tsx'
import { href } from '../place.ts'
import { isAdmin } from '../session.ts'
import { t } from '../texts.ts'
import { useTitle } from '../use-title.ts'

const sections = [
  { name: 'account', label: t('Your account'), show: Account, admins: false },
  { name: 'company', label: t('Company and plan'), show: CompanySettings, admins: false },
  { name: 'stages', label: t('Stages'), show: Stages, admins: true },
  { name: 'fields', label: t('Fields'), show: DeclaredFields, admins: true },
  { name: 'users', label: t('Users'), show: Users, admins: true },
]

export function Settings({ section }: { section?: string }) {
  const offered = sections.filter(({ admins }) => !admins || isAdmin())
  const current = offered.find(({ name }) => name === section) ?? offered[0]!
  useTitle(current.label)
  const Section = current.show
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
