import { TriangleAlert } from 'lucide'
import type { Loaded } from '../use-data.ts'
import { Icon } from './icon.tsx'

/** What went wrong, where no field shows it. */
export function Fault({ error }: { error: Error | undefined }) {
  if (!error) return null
  return (
    <div class="notice bad" role="alert">
      <Icon of={TriangleAlert} />
      <span>{error.message}</span>
    </div>
  )
}

/** In place of what could not be loaded. */
export function Unloaded({ of }: { of: Loaded<unknown> }) {
  if (of.error) {
    return (
      <div class="card padded stack">
        <Fault error={of.error} />
        <div>
          <button type="button" class="button" onClick={of.reload}>
            Try again
          </button>
        </div>
      </div>
    )
  }
  return (
    <p class="muted" role="status">
      Loading…
    </p>
  )
}
