import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface EmptyProps {
  icon: unknown
  title: string
  /** What to do about it. */
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** Where there is nothing yet: says what would be here, and how it gets here. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div class="empty">
      <Icon of={icon} />
      <h3>{title}</h3>
      {children && <p>{children}</p>}
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}
