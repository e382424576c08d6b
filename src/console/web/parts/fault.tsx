import { TriangleAlert } from 'lucide'
import type { Loaded } from '../use-data.ts'
import { Icon } from './icon.tsx'
import { type Shape, Skeleton } from './skeleton.tsx'

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

interface UnloadedProps {
  of: Pick<Loaded<unknown>, 'error' | 'reload'>
  /** Of what comes. */
  shape?: Shape
}

/** In place of what is not loaded yet, or could not be. */
export function Unloaded({ of, shape }: UnloadedProps) {
  if (!of.error) return <Skeleton shape={shape} />
  return (
    <div class="stack">
      <Fault error={of.error} />
      <div>
        <button type="button" class="button" onClick={of.reload}>
          Try again
        </button>
      </div>
    </div>
  )
}
