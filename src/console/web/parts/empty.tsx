import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface EmptyProps {
  icon: unknown
  title: string
  /** Buttons or links to add content. */
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** An empty state: what would be shown here, and how to add it. */
export function Empty({ icon, title, children, actions }: EmptyProps) {
  return (
    <div class="empty">
      <Icon of={icon} />
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}
