import type { ComponentChildren } from 'preact'

interface CardProps {
  label: string
  /** Default: the label. */
  heading?: ComponentChildren
  /** At the end of the heading's line. */
  beside?: ComponentChildren
  children: ComponentChildren
}

/** A card with a heading. */
export function Card({ label, heading = label, beside, children }: CardProps) {
  return (
    <section class="card" aria-label={label}>
      <header>
        <h2>{heading}</h2>
        {beside}
      </header>
      {children}
    </section>
  )
}
