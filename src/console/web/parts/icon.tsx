import { h } from 'preact'

type IconNode = readonly (readonly [tag: string, attributes: Record<string, string | number>])[]

/** A decorative icon next to text with the same meaning. */
export function Icon({ of }: { of: unknown }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.9"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {(of as IconNode).map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
