import { Icon } from './icon.tsx'

interface ToolProps {
  icon: unknown
  label: string
  disabled?: boolean
  onClick: (event: MouseEvent) => void
}

/** A button of a list's entry that shows only an icon. Uses `aria-disabled`, because a disabled button loses the focus. */
export function Tool({ icon, label, disabled = false, onClick }: ToolProps) {
  return (
    <button
      type="button"
      class="button quiet square small"
      aria-label={label}
      aria-disabled={disabled}
      onClick={disabled ? undefined : onClick}
    >
      <Icon of={icon} />
    </button>
  )
}
