import type { ComponentChildren } from 'preact'

interface TileProps {
  label: string
  /** The number. */
  children: ComponentChildren
  /** What it is made of. */
  note?: ComponentChildren
}

/** A few important numbers side by side. */
export function Tiles({ label, tiles }: { label: string; tiles: readonly TileProps[] }) {
  return (
    <section aria-label={label}>
      <dl class="tiles">
        {tiles.map(({ label, children, note }) => (
          <div key={label} class="card tile">
            <dt class="muted small">{label}</dt>
            <dd class="figure">{children}</dd>
            {note && <dd class="muted small">{note}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}
