import { Search } from 'lucide'
import { useLocation } from 'preact-iso/router'
import { useGlobalKeys } from '../global-keys.ts'
import { lazyPart } from '../lazily.tsx'
import { closePanel, panel } from '../panel.ts'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { t } from '../texts.ts'
import { Icon } from './icon.tsx'
import { RecordForm } from './lazy-parts.ts'

const Finder = lazyPart(() => import('./panels.ts').then((panels) => panels.Finder))
const KeysDialog = lazyPart(() => import('./panels.ts').then((panels) => panels.KeysDialog))

/** The button that searches all records, and what the keys of every page open. */
export function GlobalSearch() {
  useGlobalKeys()
  return (
    <>
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
      <Panel />
    </>
  )
}

function Panel() {
  const { route } = useLocation()
  const open = panel.value
  if (!open) return null
  if (open.show === 'keys') return <KeysDialog />
  if (open.show !== 'form') return <Finder onlyCreates={open.show === 'create'} />
  const { page } = resourceOf(open.of)
  return (
    <RecordForm
      of={open.of}
      onClose={closePanel}
      onSaved={({ id }) => {
        closePanel()
        route(href(`${page}/${id}`))
      }}
    />
  )
}
