import { Plus } from 'lucide'
import type { ComponentChildren } from 'preact'
import type { Loaded } from '../data/use-data.ts'
import { LoadingBody } from './error-notice.tsx'
import { Icon } from './icon.tsx'

interface ListCardProps {
  label: string
  /** The heading; default: the label. */
  heading?: ComponentChildren
  /** The text of the button: `Add stage`. */
  verb: string
  /** Called by the button; absent: nothing can be added. */
  onAdd?: () => void
  /** The list's data; absent: already loaded. */
  loaded?: Loaded<unknown>
  /** The list, and the dialogs that belong to it. */
  children: ComponentChildren
}

/** A card with a list and a button to add to it. */
export function ListCard({ label, heading = label, verb, onAdd, loaded, children }: ListCardProps) {
  return (
    <section class="card" aria-label={label}>
      <header>
        <h2>{heading}</h2>
        {onAdd && (
          <button type="button" class="button small" onClick={onAdd}>
            <Icon of={Plus} /> {verb}
          </button>
        )}
      </header>
      {loaded && (!loaded.data || loaded.error) && <LoadingBody of={loaded} />}
      {children}
    </section>
  )
}
