import { Trash2 } from 'lucide'
import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface RemovableProps {
  /** On the button, for who does not see it. */
  label: string
  onRemove: () => void
  children: ComponentChildren
}

/** A few inputs side by side that can be taken away again. */
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
