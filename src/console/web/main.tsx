import './style/index.css'
import { type JSX, render } from 'preact'
import { App } from './app.tsx'
import { begin, countRenders } from './data/busy.ts'
import { start } from './data/load-session.ts'
import { guardUnsavedForms } from './forms/use-unsaved.ts'
import { loadPage } from './pages/routes.ts'
import { Broken } from './parts/crash.tsx'
import { restoreFocus } from './parts/focus.ts'
import { notify } from './parts/notes.tsx'
import { mendAddress, moveBelowBase } from './session/place.ts'

addEventListener('unhandledrejection', ({ reason }) =>
  notify(reason instanceof Error ? reason.message : String(reason)),
)

countRenders()
const end = begin('start')
mendAddress()
moveBelowBase()
restoreFocus()
guardUnsavedForms()

const ready = start().then(loadPage)
ready.then(
  () => show(<App />),
  (error) => show(<Broken error={error} />),
)

/** Replaces the skeleton that is part of the page. */
function show(content: JSX.Element): void {
  document.body.replaceChildren()
  render(content, document.body)
  end()
}
