import { Bot, ChartColumn, House, Inbox, KeyRound, Settings, SquareKanban, Trash2, Upload } from 'lucide'
import { listed, viewOf } from '../data/resource-views.ts'
import { hasInbox, waiting } from '../mail-inbox/waiting.ts'
import { resourceOf, session } from '../session/session.ts'
import { t } from '../text/texts.ts'

export interface Entry {
  page: string
  label: string
  icon: unknown
  /** How much waits there. */
  count?: number
}

/** Resources that the menu does not list among the records. */
const work = ['task']

/** What the settings lead to. */
const settings = ['exchange_rate']

/** The pages of the main menu, in groups. */
export function menu(): { label: string; entries: Entry[] }[] {
  const records = listed().filter((of) => ![...work, ...settings].includes(of) && !resourceOf(of).isPart)
  return [
    {
      label: t('Work'),
      entries: [
        { page: '/', label: t('Home'), icon: House },
        { page: '/pipeline', label: t('Pipeline'), icon: SquareKanban },
        ...work.map(entryFor),
        ...(hasInbox() ? [{ page: '/inbox', label: t('Inbox'), icon: Inbox, count: waiting.value }] : []),
        { page: '/reports', label: t('Reports'), icon: ChartColumn },
      ],
    },
    { label: t('Records'), entries: [...records.map(entryFor), { page: '/import', label: t('Import'), icon: Upload }] },
    {
      label: t('Manage'),
      entries: [
        { page: '/keys', label: t('API keys'), icon: KeyRound },
        ...(session.value!.plan.webhooks ? [entryFor('webhook')] : []),
        { page: '/proposals', label: t('Proposals'), icon: Bot },
        { page: '/trash', label: t('Trash'), icon: Trash2 },
        { page: '/settings', label: t('Settings'), icon: Settings },
      ],
    },
  ]
}

function entryFor(of: string): Entry {
  const { page, plural } = resourceOf(of)
  return { page, label: plural, icon: viewOf(of).icon }
}
