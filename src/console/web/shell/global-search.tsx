import { Search } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { t } from '../text/texts.ts'
import { panel } from './open-panel.ts'

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
