import { hasInbox } from '../mail-inbox/waiting.ts'
import { isAdmin } from '../session/session.ts'
import { t } from '../text/texts.ts'

const sections = [
  { name: 'account', label: t('Your account'), admins: false },
  { name: 'company', label: t('Company and plan'), admins: false },
  { name: 'stages', label: t('Stages'), admins: true },
  { name: 'fields', label: t('Fields'), admins: true },
  { name: 'mail', label: t('Mail'), admins: false },
  { name: 'users', label: t('Users'), admins: true },
] as const

export type SectionName = (typeof sections)[number]['name']

/** The sections of the settings that the user may see. */
export function settingsSections(): { name: SectionName; label: string }[] {
  return sections.filter(({ name, admins }) => isAdmin() || (name === 'mail' ? hasInbox() : !admins))
}
