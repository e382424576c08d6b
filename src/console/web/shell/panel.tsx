import { useLocation } from 'preact-iso/router'
import { leavePage } from '../forms/use-unsaved.ts'
import { lazyPart } from '../parts/lazily.tsx'
import { RecordForm } from '../record-form/lazy-record-form.ts'
import { href } from '../session/place.ts'
import { resourceOf } from '../session/session.ts'
import { closePanel, panel } from './open-panel.ts'

const Finder = lazyPart(() => import('./panels.ts').then((panels) => panels.Finder))
const KeysDialog = lazyPart(() => import('./panels.ts').then((panels) => panels.KeysDialog))
const LogCall = lazyPart(() => import('../record/log-call.tsx').then((part) => part.LogCall))

/** What the keys of every page have opened. */
export function Panel() {
  const { route } = useLocation()
  const open = panel.value
  if (!open) return null
  if (open.show === 'keys') return <KeysDialog />
  if (open.show === 'log') return <LogCall onClose={closePanel} />
  if (open.show !== 'form') return <Finder onlyCreates={open.show === 'create'} />
  const { page } = resourceOf(open.of)
  return (
    <RecordForm
      of={open.of}
      onClose={closePanel}
      onSaved={({ id }) => {
        closePanel()
        void leavePage(() => route(href(`${page}/${id}`)))
      }}
    />
  )
}
