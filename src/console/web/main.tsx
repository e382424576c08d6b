import './style/index.css'
import { type JSX, render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './focus.ts'
import { Broken } from './parts/crash.tsx'
import { tell } from './parts/notes.tsx'
import { start } from './start.ts'
import { guardWaysOut } from './use-unsaved.ts'

addEventListener('unhandledrejection', ({ reason }) => tell(reason instanceof Error ? reason.message : String(reason)))

keepFocus()
guardWaysOut()

start().then(
  () => show(<App />),
  (error) => show(<Broken error={error} />),
)

/** In place of the skeleton that the page came with. */
function show(content: JSX.Element): void {
  document.body.replaceChildren()
  render(content, document.body)
}
