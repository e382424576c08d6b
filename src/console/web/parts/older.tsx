import type { Loaded } from '../data/use-data.ts'
import { t } from '../text/texts.ts'
import { LoadingOrError } from './error-notice.tsx'

interface OlderProps {
  of: Loaded<unknown>
  hasMore: boolean | undefined
  onMore: () => void
}

/** The end of a list of which the newest entries are shown: a button for older ones, or why they could not be loaded. */
export function Older({ of, hasMore, onMore }: OlderProps) {
  if (of.data && of.error) return <LoadingOrError of={of} />
  if (!hasMore) return null
  return (
    <div>
      <button type="button" class="button" onClick={onMore}>
        {t('Show older')}
      </button>
    </div>
  )
}
