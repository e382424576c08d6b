import './style/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { keepFocus } from './keep-focus.ts'
import { Broken } from './parts/crash.tsx'
import { tell } from './parts/notes.tsx'
import { start } from './start.ts'
import { guardWayBack } from './use-unsaved.ts'

addEventListener('unhandledrejection', ({ reason }) => tell(reason instanceof Error ? reason.message : String(reason)))

keepFocus()
guardWayBack()

start().then(
  () => render(<App />, document.body),
  (error) => render(<Broken error={error} />, document.body),
)
