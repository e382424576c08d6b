import { useLocation } from 'preact-iso/router'
import { lazyPart } from '../lazily.tsx'
import { closePanel, panel } from '../panel.ts'
import { href } from '../place.ts'
import { resourceOf } from '../session.ts'
import { RecordForm } from './lazy-parts.ts'

const Finder = lazyPart(() => import('./panels.ts').then((panels) => panels.Finder))
const KeysDialog = lazyPart(() => import('./panels.ts').then((panels) => panels.KeysDialog))

/** What the keys of every page have opened. */
export function Panel() {
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
