import { TriangleAlert } from 'lucide'
import type { ComponentChildren } from 'preact'
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
  /** What else can be done about an error. */
  children?: ComponentChildren
}

/** In place of what is not loaded yet, or could not be. */
export function Unloaded({ of, shape, children }: UnloadedProps) {
  if (!of.error) return <Skeleton shape={shape} />
  return (
    <div class="stack">
      <Fault error={of.error} />
      <div class="row">
        <button type="button" class="button" onClick={of.reload}>
          Try again
        </button>
        {children}
      </div>
    </div>
  )
}
