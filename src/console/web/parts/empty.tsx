import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface EmptyProps {
  icon: unknown
  title: string
  /** Whether it is in a card that has a heading of its own. */
  inCard?: boolean
  /** Buttons or links to add content. */
  children?: ComponentChildren
  actions?: ComponentChildren
}

/** An empty state: what would be shown here, and how to add it. */
export function Empty({ icon, title, inCard, children, actions }: EmptyProps) {
  const Heading = inCard ? 'h3' : 'h2'
  return (
    <div class="empty">
      <Icon of={icon} />
      <Heading>{title}</Heading>
      {children && <p>{children}</p>}
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}
