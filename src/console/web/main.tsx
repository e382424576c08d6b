import './style/index.css'
import { type JSX, render } from 'preact'
import { App } from './app.tsx'
import { begin, countRenders } from './busy.ts'
import { restoreFocus } from './focus.ts'
import { Broken } from './parts/crash.tsx'
import { notify } from './parts/notes.tsx'
import { moveBelowBase } from './place.ts'
import { loadPage } from './routes.ts'
import { start } from './start.ts'
import { guardUnsavedForms } from './use-unsaved.ts'

addEventListener('unhandledrejection', ({ reason }) =>
  notify(reason instanceof Error ? reason.message : String(reason)),
)

countRenders()
const end = begin('start')
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
