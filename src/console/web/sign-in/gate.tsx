import type { ComponentChildren } from 'preact'
import { useTitle } from '../parts/use-title.ts'
import { onServer } from '../session/place.ts'

/** The layout of the pages before sign-in: one form on an empty page. */
export function Gate({ title, lead, children }: { title: string; lead?: string; children: ComponentChildren }) {
  useTitle(title)
  return (
    <main class="gate">
      <div>
        <img class="mark" src={onServer('/assets/icon.svg')} alt="Kontor" />
        <div class="stack tight">
          <h1>{title}</h1>
          {lead && <p class="muted">{lead}</p>}
        </div>
        <div class="card padded">{children}</div>
      </div>
    </main>
  )
}
