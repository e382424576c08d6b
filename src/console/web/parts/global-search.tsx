import { Search } from 'lucide'
import { panel } from '../panel.ts'
import { t } from '../texts.ts'
import { Icon } from './icon.tsx'

/** The button that opens what Ctrl+K opens: the search and the commands. */
export function GlobalSearch() {
  return (
    <button
      type="button"
      class="button quiet"
      aria-keyshortcuts="Control+K Meta+K"
      title={t('Search all records (Ctrl+K)')}
      onClick={() => {
        panel.value = { show: 'search' }
      }}
    >
      <Icon of={Search} /> {t('Search')}
    </button>
  )
}
