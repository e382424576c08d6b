import { signal } from '@preact/signals'
import { Rows2, Rows4 } from 'lucide'
import { Tool } from '../parts/tool.tsx'
import { recall, remember } from '../session/storage.ts'
import { t } from '../text/texts.ts'

const storageKey = 'kontor.density'

/** Whether lists have compact rows, which this browser remembers. */
export const isCompact = signal(recall(storageKey) === 'compact')

/** Switches between roomy and compact rows, in all lists. */
export function DensityButton() {
  const compact = isCompact.value
  const choose = () => {
    isCompact.value = !compact
    remember(storageKey, compact ? 'roomy' : 'compact')
  }
  return <Tool icon={compact ? Rows2 : Rows4} label={compact ? t('Roomy rows') : t('Compact rows')} onClick={choose} />
}
