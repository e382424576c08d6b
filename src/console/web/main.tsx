import './style/index.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { start } from './start.ts'

start().then(() => render(<App />, document.body))
