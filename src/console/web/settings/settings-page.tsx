import { Lock } from 'lucide'
import type { FunctionComponent } from 'preact'
import { Empty } from '../parts/empty.tsx'
import { isAdmin } from '../session/session.ts'
import { t } from '../text/texts.ts'
import { Account } from './settings-account.tsx'
import { CompanySettings } from './settings-company.tsx'
import { DeclaredFields } from './settings-fields.tsx'
import { SettingsFrame } from './settings-frame.tsx'
import { type SectionName, settingsSections } from './settings-sections.ts'
import { Stages } from './settings-stages.tsx'
import { Users } from './settings-users.tsx'

/** All sections but that of mail, which has a script of its own. */
const parts: Readonly<Record<Exclude<SectionName, 'mail'>, FunctionComponent>> = {
  account: Account,
  company: CompanySettings,
  stages: Stages,
  fields: DeclaredFields,
  users: Users,
}

export function Settings({ section = 'account' }: { section?: string }) {
  const isOffered = settingsSections().some(({ name }) => name === section)
  const Section = isOffered ? parts[section as keyof typeof parts] : NotOffered
  return (
    <SettingsFrame current={section}>
      <Section />
    </SettingsFrame>
  )
}

/** Instead of a section that is only for admins, or does not exist. */
function NotOffered() {
  return <Empty icon={Lock} title={isAdmin() ? t('Page not found') : t('Only owners and admins see this page')} />
}
