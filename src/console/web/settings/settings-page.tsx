import type { FunctionComponent } from 'preact'
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

export function Settings({ section }: { section?: string }) {
  const isOffered = settingsSections().some(({ name }) => name === section)
  const current = isOffered ? (section as keyof typeof parts) : 'account'
  const Section = parts[current]
  return (
    <SettingsFrame current={current}>
      <Section />
    </SettingsFrame>
  )
}
