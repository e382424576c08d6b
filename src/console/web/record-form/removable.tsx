import { Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from '../parts/icon.tsx'

interface RemovableProps {
  /** The button's label for screen readers. */
  label: string
  onRemove: () => void
  children: ComponentChildren
}

/** A few inputs side by side with a button that removes them. */
export function Removable({ label, onRemove, children }: RemovableProps) {
  return (
    <div class="item">
      <div class="fields">{children}</div>
      <button type="button" class="button quiet square" aria-label={label} onClick={onRemove}>
        <Icon of={Trash2} />
      </button>
    </div>
  )
}
